// When a client's answer was brought, where that was at another node than the one that asked, which may read it late. Anyone who
// writes this themselves gains nothing: an answer is never taken to have come later than it was read.
import type { RpcMessage } from './messages.js'

const receivedAtKey = 'beckon/receivedAt'

/** An answer with the time at which it was brought, by the clock of the node that it was brought to. */
export function withReceivedAt(message: RpcMessage, at: number): RpcMessage {
  if (!('result' in message)) return message
  const { result } = message
  return { ...message, result: { ...result, _meta: { ...(result._meta as object | undefined), [receivedAtKey]: at } } }
}

export function receivedAtIn(result: unknown): number | undefined {
  const { _meta } = (typeof result === 'object' && result !== null ? result : {}) as { _meta?: unknown }
  const at = typeof _meta === 'object' && _meta !== null ? (_meta as Record<string, unknown>)[receivedAtKey] : undefined
  return typeof at === 'number' ? at : undefined
}
