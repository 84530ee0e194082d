import type { Dialect, Visitor } from '../asks/gate.js'
import { seenBy } from '../asks/visibility.js'
import { asksSeenBy } from './asks.js'
import { parseChannel } from './channel.js'
import type { LiveDesk } from './live-desk.js'

/** The state of a channel as of a line. */
export interface Snapshot {
  readonly resource: string
  readonly state: object
  readonly fromSeq: number
}

/** A channel as someone may see it; undefined when there is none of this name. */
export function snapshotOf(desk: LiveDesk, resource: string, dialect: Dialect, visitor: Visitor): Snapshot | undefined {
  const state = stateOf(desk, resource, dialect, visitor)
  return state && { resource, state, fromSeq: desk.feed.seq }
}

/** Whether there is a channel of this name. */
export function isChannel({ order }: LiveDesk, name: unknown, dialect: Dialect): name is string {
  const channel = parseChannel(name, dialect)
  if (channel === undefined) return false
  return !('session' in channel) || order.state.session(channel.session) !== undefined
}

function stateOf({ order, feed }: LiveDesk, name: string, dialect: Dialect, visitor: Visitor): object | undefined {
  const channel = parseChannel(name, dialect)
  if (channel === undefined) return undefined
  if (channel.kind === 'root') return { agents: [], activeSessions: feed.sessions }
  if (channel.kind === 'asks') return asksSeenBy(order.state, visitor)
  const record = order.state.session(channel.session)
  if (record === undefined) return undefined
  const { older, chat, summary } = seenBy(record, visitor)
  if (dialect === 'older') return older
  return channel.kind === 'chat' ? chat : summary
}
