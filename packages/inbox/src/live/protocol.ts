// What is said to a desk, in the live protocol: how a client introduces itself and comes back, and how what a person did
// is sent. Everything is read on one channel, and sent on the channel of the session that it is about.
import type { AskEntry, AsksAction, AsksState } from '@beckon/core/asks'
import { RpcError } from '@beckon/core/json-rpc'
import {
  type AsksParams,
  asksChannel,
  channelsOf,
  type Envelope,
  type ListedAsks,
  type RefusalData,
  rootChannel,
  type Snapshot,
} from '@beckon/core/live'
import { type FoundOption, maxSearchChars } from '@beckon/core/widgets'
import type { SaidRefusal } from '../strings/said-refusal.js'
import type { Link } from './link.js'
import type { Pending } from './mirror.js'

/** All asks as of a number of the desk's. */
export type AsksSnapshot = Snapshot<AsksState>

export interface Introduced {
  readonly snapshot: AsksSnapshot
  /** Who the desk takes this person for. */
  readonly principal: string
  /** Whether there is something to try. */
  readonly canTry: boolean
}

/** Says hello on a new connection. */
export async function introduce(link: Link, clientId: string): Promise<Introduced> {
  const { snapshots, _meta: about } = await link.request('initialize', {
    channel: rootChannel,
    protocolVersions: ['1.0.0'],
    clientId,
    clientInfo: { name: 'beckon-inbox', title: 'Beckon inbox' },
    initialSubscriptions: [asksChannel],
  })
  const snapshot = snapshots.find(isOfAsks)
  if (snapshot === undefined) throw new Error('This is not a Beckon desk.')
  return { snapshot, principal: about['beckon/principal'], canTry: about['beckon/tryIt'] === true }
}

/** What a client has missed: actions, or a state; nothing when the desk does not know it any more. */
export async function comeBack(
  link: Link,
  clientId: string,
  seq: number,
): Promise<readonly Envelope<AsksAction>[] | AsksSnapshot | undefined> {
  const params = { clientId, lastSeenServerSeq: seq, subscriptions: [asksChannel] }
  try {
    const recovered = await link.request('reconnect', { channel: rootChannel, ...params })
    if ('channels' in recovered) return undefined
    return recovered.type === 'replay' ? recovered.actions.filter(isAboutAsks) : recovered.snapshots.find(isOfAsks)
  } catch (error) {
    if (error instanceof RpcError) return undefined
    throw error
  }
}

/** All asks as they are by now. */
export async function lookAgain(link: Link): Promise<AsksSnapshot> {
  const { snapshot } = await link.request('subscribe', { channel: asksChannel })
  if (!isOfAsks(snapshot)) throw new Error('This is not a Beckon desk.')
  return snapshot
}

/** Which open asks are wanted beside the first page. */
export type Wanted = Omit<AsksParams, 'channel' | 'limit'>

const pageAsks = 200

/** Open asks beside the first page: the next ones, those of a session, or what a search finds. */
export function listAsks(link: Link, wanted: Wanted): Promise<ListedAsks> {
  return link.request('beckon/asks', { channel: rootChannel, limit: pageAsks, ...wanted })
}

/** Sends what a person did; false when there is no connection. */
export function dispatch(link: Link, { session, requestId, askedAt, action, clientSeq }: Pending): boolean {
  const { kind, ...rest } = action
  const type = kind === 'draft' ? 'chat/inputAnswerChanged' : 'chat/inputCompleted'
  return link.notify('dispatchAction', {
    channel: chatOf(session),
    clientSeq,
    action: { type, requestId, askedAt, ...rest },
  })
}

/** What people do about an ask beside answering it. */
export type PeopleAction =
  | { readonly type: 'beckon/commented'; readonly text: string }
  /** To a principal, who is asked in this person's place. */
  | { readonly type: 'beckon/delegated'; readonly to: string }

/** Does something about an ask beside answering it. What the desk refuses comes back; what could not be sent rejects. */
export async function actOn(
  link: Link,
  { session, request }: AskEntry,
  clientSeq: number,
  action: PeopleAction,
): Promise<SaidRefusal | undefined> {
  try {
    const sent = { channel: chatOf(session), clientSeq, action: { ...action, requestId: request.id } }
    await link.request('dispatchAction', sent)
    return undefined
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const { code, params } = dataOf(error)
    return { code, params, reason: error.message }
  }
}

function dataOf({ data }: RpcError): Partial<RefusalData> {
  return typeof data === 'object' && data !== null ? data : {}
}

/** Tells the desk that someone looks at a session, for its audit. */
export function look(link: Link, session: string): void {
  // That nobody could be told of the look must not keep anyone from looking.
  link.request('subscribe', { channel: chatOf(session) }).catch(() => {})
}

export function lookAway(link: Link, session: string): void {
  link.notify('unsubscribe', { channel: chatOf(session) })
}

/** What the page of an ask's widget searches; undefined where nobody could look. */
export async function findOptions(
  link: Link,
  { session, request }: AskEntry,
  search: string,
): Promise<readonly FoundOption[] | undefined> {
  const wanted = { session, requestId: request.id, search: search.slice(0, maxSearchChars) }
  return (await link.request('beckon/find', { channel: rootChannel, ...wanted })).options
}

/** Opens an ask to try the inbox with. */
export async function tryIt(link: Link): Promise<void> {
  await link.request('beckon/tryIt', { channel: rootChannel })
}

/** Whether an action is on the channel of all asks: that tells of asks, and of nothing else. */
export function isAboutAsks(envelope: Envelope): envelope is Envelope<AsksAction> {
  return envelope.channel === asksChannel
}

function isOfAsks(snapshot: Snapshot): snapshot is AsksSnapshot {
  return snapshot.resource === asksChannel
}

function chatOf(session: string): string {
  return channelsOf(session).chat
}
