import { isRecord } from '@beckon/core/json-rpc'
import { isId, isMeta, type RequestId, type RpcMessage } from '../../protocol/messages.js'
import { claimsEnvelope } from '../../protocol/rev2026/envelope.js'
import { internalError } from '../../protocol/wire-error.js'
import type { Exchange } from '../exchange/exchange.js'
import type { JsonObject } from '../json-object.js'

export interface WireRequest {
  readonly id: RequestId
  readonly method: string
  readonly params?: unknown
}

/** Whether this is a message of a 2025 session beyond doubt: well-formed, and with nothing of 2026-07-28 about it. */
export function isLegacyMessage(message: unknown): message is RpcMessage {
  if (!isRecord(message) || message.jsonrpc !== '2.0') return false
  if ('method' in message)
    return typeof message.method === 'string' && isPlain(message) && !claimsEnvelope(message.params)
  const isResult = isRecord(message.result) && !('error' in message)
  const isError = isRecord(message.error) && !('result' in message)
  return isId(message.id) && (isResult || isError)
}

/** A message as a request; undefined when it is none. */
export function wireRequest(message: unknown): WireRequest | undefined {
  return isRequest(message) ? message : undefined
}

function isRequest(message: unknown): message is WireRequest {
  return isRecord(message) && typeof message.method === 'string' && isId(message.id)
}

/** The ids of the requests among messages. */
export function requestIds(messages: readonly unknown[]): RequestId[] {
  const ids: RequestId[] = []
  for (const message of messages) if (isRequest(message)) ids.push(message.id)
  return ids
}

export function isInitialize(message: unknown): message is WireRequest {
  return isRequest(message) && message.method === 'initialize'
}

/** The request that a client cancels with this message. */
export function cancelledBy(message: unknown): RequestId | undefined {
  if (!isRecord(message) || message.method !== 'notifications/cancelled') return undefined
  const id = isRecord(message.params) ? message.params.requestId : undefined
  return isId(id) ? id : undefined
}

function isPlain(message: JsonObject): boolean {
  const { id, params } = message
  if (id === undefined ? 'id' in message : !isId(id)) return false
  return params === undefined || (isRecord(params) && isMeta(params._meta))
}

/** A message as JSON. A result that is none leaves as an error, since a request without an answer never ends. */
export function jsonOf(message: RpcMessage): string {
  try {
    return JSON.stringify(message)
  } catch (error) {
    if ('method' in message) throw error
    return JSON.stringify({ jsonrpc: '2.0', id: message.id, error: internalError })
  }
}

/** What the messages of a POST take while they are worked on: two bytes for a character, since any text may need them. */
export function weightOf(exchange: Exchange, messages: readonly RpcMessage[]): number {
  const length = Number(exchange.header('content-length'))
  return 2 * (length > 0 ? length : JSON.stringify(messages).length)
}
