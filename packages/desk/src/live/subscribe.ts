import { RpcError } from '@beckon/core/json-rpc'
import {
  type ChannelState,
  channelsOf,
  type Dialect,
  dialectTraits,
  liveErrorCodes as errorCodes,
  parseChannel,
  type Snapshot,
} from '@beckon/core/live'
import { encodeChat, encodeOlder, encodeSummary } from '../dialects/states.js'
import { maySee, type Person, seenBy } from '../policy/audience.js'
import { readAsksPage } from './asks-page.js'
import type { Client, Connection } from './connection.js'
import type { LiveDesk } from './live-desk.js'
import { withLastTurns } from './turns.js'

/** A channel that a connection is about to listen to: what happens from here on is not lost. */
export interface Prepared {
  readonly channel: string
  /** Listens from now on; the client has its state since a number, or its last turns alone. */
  join(from: number, isPartial?: boolean): void
  /** The state as of now, of a chat with all turns or its last ones. */
  snapshot(lastTurns?: number): Snapshot
  /** Does not listen after all. */
  cancel(): void
}

/** Gets a channel ready for a connection; undefined when there is none of this name for its person. */
export async function prepare(
  desk: LiveDesk,
  connection: Connection,
  { dialect }: Client,
  channel: string,
): Promise<Prepared | undefined> {
  const { feed, numbers } = desk
  const opened = await open(desk, channel, dialect, connection.viewer)
  if (opened === undefined) return undefined
  return {
    channel,
    join(from, isPartial = false) {
      opened.join?.()
      if (opened.session !== undefined) looked(desk, connection, opened.session)
      feed.subscribers.add(channel, connection, { from, isPartial, stop: opened.stop })
    },
    snapshot: lastTurns => ({ resource: channel, state: opened.state(lastTurns), fromSeq: numbers.last }),
    cancel: opened.stop,
  }
}

/** Listens to a channel, and gives its state; undefined when there is none of this name. */
export async function subscribe(
  desk: LiveDesk,
  connection: Connection,
  client: Client,
  { channel, lastTurns }: { readonly channel: string; readonly lastTurns?: number | undefined },
): Promise<(() => Snapshot) | undefined> {
  const { maxSubscriptions } = desk.limits
  if (!connection.subscriptions.has(channel) && connection.subscriptions.size >= maxSubscriptions) {
    const message = `A connection can listen to ${maxSubscriptions} channels. Unsubscribe from some.`
    throw new RpcError(errorCodes.denied, message)
  }
  const prepared = await prepare(desk, connection, client, channel)
  if (prepared === undefined) return undefined
  return () => {
    const snapshot = prepared.snapshot(lastTurns)
    prepared.join(snapshot.fromSeq, 'turnsNextCursor' in snapshot.state)
    connection.heard(snapshot.fromSeq)
    return snapshot
  }
}

interface Opened {
  readonly state: (lastTurns?: number) => ChannelState
  readonly join?: () => void
  readonly stop: () => void
  readonly session?: string
}

async function open(desk: LiveDesk, name: string, dialect: Dialect, person: Person): Promise<Opened | undefined> {
  const channel = parseChannel(name, dialect)
  if (channel === undefined) return undefined
  if (channel.kind === 'root') return { state: () => ({ agents: [] }), stop: desk.audiences.follow(person) }
  if (channel.kind === 'asks') {
    const page = await readAsksPage(desk, person)
    return { state: page.take, join: page.join, stop: page.stop }
  }
  const { session: id } = channel
  const { session, stop } = await desk.sessions.follow(id)
  if (!maySee(session, person)) {
    stop()
    return undefined
  }
  const state = (lastTurns?: number): ChannelState => {
    const known = desk.sessions.known(id) ?? session
    const seen = seenBy(person)
    if (!dialectTraits[dialect].hasChats) return encodeOlder(known, seen)
    if (channel.kind === 'session') return encodeSummary(known, seen, dialect)
    const chat = encodeChat(known, seen, dialect)
    return lastTurns === undefined ? chat : withLastTurns(chat, lastTurns)
  }
  return { state, stop, session: id }
}

/** Keeps a record of who looks at a session, once for both of its channels. */
function looked(desk: LiveDesk, { subscriptions, viewer }: Connection, session: string): void {
  const channels = channelsOf(session)
  if (!subscriptions.has(channels.session) && !subscriptions.has(channels.chat)) desk.actions.viewed(viewer, session)
}
