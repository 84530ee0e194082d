import { notAllowed, type Refusal, tooMany, unavailable } from '../asks/refusals.js'
import type { Settled } from '../log/order.js'
import { parseChannel } from './channel.js'
import type { Client, Connection } from './connection.js'
import { addressed, encodeEnvelope } from './envelope.js'
import { encodeNotification, type Params } from './json-rpc.js'
import type { LiveDesk } from './live-desk.js'
import { isChannel } from './snapshot.js'

/** What became of a client's action. */
export type Dispatched =
  | { readonly kind: 'taken' }
  | { readonly kind: 'ignored' }
  | ({ readonly kind: 'refused' } & Refusal)

/**
 * Takes a client's action. What is accepted comes back with everyone else's copy; what is not comes back to its sender
 * alone. An action that cannot be named in an echo, or on a channel that is not there, is ignored, as the protocol says.
 */
export async function dispatchAction(
  desk: LiveDesk,
  connection: Connection,
  client: Client,
  { params, isTooMuch }: { readonly params: Params; readonly isTooMuch: boolean },
): Promise<Dispatched> {
  const { channel, clientSeq, action } = params
  const { dialect } = client
  if (!isChannel(desk, channel, dialect) || !Number.isSafeInteger(clientSeq)) return { kind: 'ignored' }
  const origin = { clientId: client.id, clientSeq: Number(clientSeq) }
  const echo = (serverSeq: number, refused: object = {}): void => {
    const envelope = { channel, action, serverSeq, origin, ...refused }
    connection.tell(encodeNotification('action', encodeEnvelope(envelope)), serverSeq)
  }
  const refuse = ({ code, reason }: Refusal): Dispatched => {
    // Nothing has happened, so there is no new number.
    echo(connection.seq, { rejectionReason: reason, rejectionCode: code })
    return { kind: 'refused', code, reason }
  }
  if (isTooMuch) return refuse(tooMany)
  const parsed = parseChannel(channel, dialect)
  if (parsed === undefined || !('session' in parsed)) return refuse(notAllowed)
  const settled = await desk.gate
    .dispatch(connection.visitor, { session: parsed.session, on: parsed.kind, dialect, action, origin })
    .catch((error): Settled => {
      desk.onError(error)
      return { kind: 'refused', ...unavailable, seq: desk.feed.seq }
    })
  if (settled.kind === 'refused') return refuse(settled)
  // Accepted, and nothing to tell on this channel: without an echo it would stay pending.
  const isTold = settled.lines.some(
    line => line.origin !== undefined && addressed(line, dialect).some(told => told.channel === channel),
  )
  if (!isTold && connection.subscriptions.has(channel)) echo(desk.feed.seq)
  return { kind: 'taken' }
}
