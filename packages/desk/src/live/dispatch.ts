import type { Settled } from '../log/order.js'
import { parseChannel } from './channel.js'
import type { Client, Connection } from './connection.js'
import { addressed, encodeEnvelope } from './envelope.js'
import { encodeNotification, type Params } from './json-rpc.js'
import type { LiveDesk } from './live-desk.js'
import { isChannel } from './snapshot.js'

const tooMuch = 'Too many messages at once. Wait a moment, and send this again.'
const failed = 'The desk could not keep this. Send it again.'

/**
 * Takes a client's action. What is accepted comes back with everyone else's copy; what is not comes back to its sender
 * alone. An action that cannot be named in an echo, or on a channel that is not there, is ignored, as the protocol says.
 */
export async function dispatchAction(
  desk: LiveDesk,
  connection: Connection,
  client: Client,
  { params, isTooMuch }: { readonly params: Params; readonly isTooMuch: boolean },
): Promise<void> {
  const { channel, clientSeq, action } = params
  if (!isChannel(desk, channel, client.dialect) || !Number.isSafeInteger(clientSeq)) return
  const origin = { clientId: client.id, clientSeq: Number(clientSeq) }
  const echo = (rejectionReason?: string): void => {
    const serverSeq = desk.feed.seq
    const envelope = { channel, action, serverSeq, origin, ...(rejectionReason !== undefined && { rejectionReason }) }
    connection.tell(encodeNotification('action', encodeEnvelope(envelope)))
  }
  if (isTooMuch) return echo(tooMuch)
  const parsed = parseChannel(channel, client.dialect)
  if (parsed === undefined || !('session' in parsed)) return echo('A client cannot send this action here.')
  const { dialect } = client
  const settled = await desk.gate
    .dispatch(connection.visitor, { session: parsed.session, on: parsed.kind, dialect, action, origin })
    .catch((): Settled => ({ kind: 'refused', reason: failed, seq: desk.feed.seq }))
  if (settled.kind === 'refused') return echo(settled.reason)
  // Accepted, and nothing to tell on this channel: without an echo it would stay pending.
  const isTold = settled.lines.some(
    line => line.origin !== undefined && addressed(line, dialect).some(told => told.channel === channel),
  )
  if (!isTold && connection.subscriptions.has(channel)) echo()
}
