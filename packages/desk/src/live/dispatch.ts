import type { Params } from '@beckon/core/json-rpc'
import { type Dialect, describeRefusal, type Envelope, parseChannel, type Rejection } from '@beckon/core/live'
import { refusalIn } from '@beckon/inbox/refusals'
import { isPeopleAction } from '../actions/people-actions.js'
import { actionsOf } from '../dialects/actions.js'
import { unavailable } from '../policy/refusals.js'
import type { Settled } from '../sessions/sessions.js'
import type { Client, Connection } from './connection.js'
import type { LiveDesk } from './live-desk.js'
import { encodeAction, encodeEnvelope } from './notifications.js'

/** What became of a client's action. */
export type Dispatched =
  | { readonly kind: 'taken' }
  | { readonly kind: 'ignored' }
  /** With the sentence that its client was told. */
  | { readonly kind: 'refused'; readonly refusal: Rejection; readonly reason: string }

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
  const { dialect, locale } = client
  const parsed = parseChannel(channel, dialect)
  if (parsed === undefined || typeof channel !== 'string' || !Number.isSafeInteger(clientSeq))
    return { kind: 'ignored' }
  const origin = { clientId: client.id, clientSeq: Number(clientSeq) }
  const echo = (serverSeq: number, refused: Partial<Envelope> = {}): void => {
    const envelope = { channel, action, serverSeq, origin, ...refused }
    connection.tell(encodeAction(encodeEnvelope(envelope)), serverSeq)
  }
  const refuse = (refusal: Rejection): Dispatched => {
    const { code, params } = refusal
    const english = describeRefusal(refusal)
    const reason = locale === undefined ? english : refusalIn(locale, refusal, english)
    // Nothing has happened, so there is no new number.
    const rejection = { rejectionReason: reason, rejectionCode: code }
    echo(connection.seq, { ...rejection, ...(params && { rejectionParams: { ...params } }) })
    return { kind: 'refused', refusal, reason }
  }
  if (isTooMuch) return refuse({ code: 'too-many' })
  if (!('session' in parsed)) return refuse({ code: 'not-allowed' })
  const settled = await desk.actions
    .dispatch(connection.viewer, { session: parsed.session, on: parsed.kind, dialect, action, origin })
    .catch((error): Settled => {
      desk.onError(error)
      return { kind: 'refused', ...unavailable }
    })
  if (settled.kind === 'refused') {
    const { kind: _, ...refusal } = settled
    return refusal.code === 'session-not-found' ? { kind: 'ignored' } : refuse(refusal)
  }
  // Accepted, and nothing to tell on this channel: without an echo it would stay pending.
  const isTold = !isPeopleAction(action) && isToldOn(channel, parsed.session, settled, dialect)
  if (!isTold && connection.subscriptions.has(channel)) echo(desk.numbers.next())
  return { kind: 'taken' }
}

function isToldOn(
  channel: string,
  id: string,
  { events, session }: Extract<Settled, { kind: 'accepted' }>,
  dialect: Dialect,
): boolean {
  return events.some(event =>
    actionsOf({ id, event, before: session, after: session }, dialect).some(told => told.channel === channel),
  )
}
