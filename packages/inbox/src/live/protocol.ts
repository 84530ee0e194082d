// What is said to a desk, in the live protocol: how a client introduces itself and comes back, and how what a person did
// is sent. Everything is read on one channel, and sent on the channel of the session that it is about.
import type { AskEntry, AsksState } from '@beckon/core/asks'
import { RpcError } from '@beckon/core/json-rpc'
import type { Link } from './link.js'
import type { Envelope, Pending } from './mirror.js'

const rootChannel = 'ahp-root://'
/** Every ask that someone may see. */
export const asksChannel = 'beckon-asks://'

/** All asks as of a line of the desk's log. */
export interface Snapshot {
  readonly state: AsksState
  readonly fromSeq: number
}

export interface Introduced {
  readonly snapshot: Snapshot
  /** Who the desk takes this person for. */
  readonly principal: string
  /** Whether there is something to try. */
  readonly canTry: boolean
}

/** Says hello on a new connection. */
export async function introduce(link: Link, clientId: string): Promise<Introduced> {
  const { snapshots, serverInfo } = (await link.request('initialize', {
    channel: rootChannel,
    protocolVersions: ['1.0.0'],
    clientId,
    clientInfo: { name: 'beckon-inbox', title: 'Beckon inbox' },
    initialSubscriptions: [asksChannel],
  })) as {
    readonly snapshots: readonly Snapshot[]
    readonly serverInfo?: { readonly _meta?: Readonly<Record<string, unknown>> }
  }
  const [snapshot] = snapshots
  if (snapshot === undefined) throw new Error('This is not a Beckon desk.')
  const about = serverInfo?._meta ?? {}
  return { snapshot, principal: String(about['beckon/principal'] ?? ''), canTry: about['beckon/tryIt'] === true }
}

/** What a client has missed: actions, or a state; nothing when the desk does not know it any more. */
export async function comeBack(
  link: Link,
  clientId: string,
  seq: number,
): Promise<readonly Envelope[] | Snapshot | undefined> {
  const params = { clientId, lastSeenServerSeq: seq, subscriptions: [asksChannel] }
  try {
    const recovered = (await link.request('reconnect', { channel: rootChannel, ...params })) as
      | { readonly type: 'replay'; readonly actions: readonly Envelope[] }
      | { readonly type: 'snapshot'; readonly snapshots: readonly Snapshot[] }
    return recovered.type === 'replay' ? recovered.actions : recovered.snapshots[0]
  } catch (error) {
    if (error instanceof RpcError) return undefined
    throw error
  }
}

/** All asks as they are by now. */
export async function lookAgain(link: Link): Promise<Snapshot> {
  const { snapshot } = (await link.request('subscribe', { channel: asksChannel })) as { readonly snapshot: Snapshot }
  return snapshot
}

/** Which open asks are wanted beside the first page. */
export interface Wanted {
  readonly session?: string
  readonly search?: string
  readonly cursor?: string
}

export interface Found {
  readonly asks: readonly AskEntry[]
  readonly nextCursor?: string
}

const pageAsks = 200

/** Open asks beside the first page: the next ones, those of a session, or what a search finds. */
export async function listAsks(link: Link, wanted: Wanted): Promise<Found> {
  return (await link.request('beckon/asks', { channel: rootChannel, limit: pageAsks, ...wanted })) as Found
}

/** Sends what a person did; false when there is no connection. */
export function dispatch(link: Link, { session, requestId, action, clientSeq }: Pending): boolean {
  const { kind, ...rest } = action
  const type = kind === 'draft' ? 'chat/inputAnswerChanged' : 'chat/inputCompleted'
  return link.notify('dispatchAction', {
    channel: chatOf(session),
    clientSeq,
    action: { type, requestId, ...rest },
  })
}

/** Tells the desk that someone looks at a session, for its audit. */
export function look(link: Link, session: string): void {
  // That nobody could be told of the look must not keep anyone from looking.
  link.request('subscribe', { channel: chatOf(session) }).catch(() => {})
}

export function lookAway(link: Link, session: string): void {
  link.notify('unsubscribe', { channel: chatOf(session) })
}

/** Puts an ask to try the inbox with. */
export async function tryIt(link: Link): Promise<void> {
  await link.request('beckon/tryIt', { channel: rootChannel })
}

function chatOf(session: string): string {
  return `ahp-chat:/${session}`
}
