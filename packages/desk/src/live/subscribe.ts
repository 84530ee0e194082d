import { channelsOf } from '../state/channels.js'
import { parseChannel } from './channel.js'
import type { Client, Connection } from './connection.js'
import { errorCodes, RpcError } from './json-rpc.js'
import type { LiveDesk } from './live-desk.js'
import { type Snapshot, snapshotOf } from './snapshot.js'

/** A connection listens to a channel from now on. */
export function listen(desk: LiveDesk, connection: Connection, { dialect }: Client, channel: string): void {
  const { subscriptions } = connection
  const { maxSubscriptions } = desk.limits
  if (!subscriptions.has(channel) && subscriptions.size >= maxSubscriptions) {
    const message = `A connection can listen to ${maxSubscriptions} channels. Unsubscribe from some.`
    throw new RpcError(errorCodes.denied, message)
  }
  const parsed = parseChannel(channel, dialect)
  if (parsed !== undefined && 'session' in parsed) looked(desk, connection, parsed.session)
  desk.subscribers.add(channel, connection)
}

/** Listens to a channel, and gives its state; undefined when there is none of this name. */
export function subscribe(
  desk: LiveDesk,
  connection: Connection,
  client: Client,
  channel: string,
): Snapshot | undefined {
  const snapshot = snapshotOf(desk, channel, client.dialect, connection.visitor)
  if (snapshot === undefined) return undefined
  listen(desk, connection, client, channel)
  connection.heard(snapshot.fromSeq)
  return snapshot
}

/** Keeps a record of who looks at a session, once for both of its channels. */
function looked(desk: LiveDesk, { subscriptions, visitor }: Connection, session: string): void {
  const channels = channelsOf(session)
  if (subscriptions.has(channels.session) || subscriptions.has(channels.chat)) return
  // That nothing can be recorded must not keep anyone from looking.
  desk.gate.viewed(visitor, session).catch(() => {})
}
