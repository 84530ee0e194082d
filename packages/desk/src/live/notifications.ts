import { encodeNotification } from '@beckon/core/json-rpc'
import type { Envelope, LiveNotifications } from '@beckon/core/live'

/** What is told on a channel, as JSON: written once, it is told to many. Of what was refused, whatever its client sent. */
export function encodeEnvelope({ channel, action, serverSeq, ...rest }: Envelope<unknown>): string {
  return JSON.stringify({ channel, action, serverSeq, ...rest })
}

/** A notification that carries an envelope. */
export function encodeAction(envelope: string): string {
  return encodeNotification('action', envelope)
}

/** Any other notification. */
export function encodeLive<M extends Exclude<keyof LiveNotifications, 'action'>>(
  method: M,
  params: LiveNotifications[M],
): string {
  return encodeNotification(method, params)
}
