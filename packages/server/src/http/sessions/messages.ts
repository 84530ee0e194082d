import { isRecord } from '@beckon/core/json-rpc'
import type { JSONRPCMessage, JSONRPCResponse } from '@modelcontextprotocol/server'
import type { Exchange } from '../exchange/exchange.js'
import type { JsonObject } from '../json-object.js'
import { isId } from '../lean/regular-request.js'
import type { RequestId } from '../reply-with.js'
import { internalError } from '../wire-error.js'

const protocolVersionKey = 'io.modelcontextprotocol/protocolVersion'
const relatedTaskKey = 'io.modelcontextprotocol/related-task'

export interface WireRequest {
  readonly id: RequestId
  readonly method: string
  readonly params?: unknown
}

/** Whether this is a message of a 2025 session beyond doubt: well-formed, and with nothing of 2026-07-28 about it. */
export function isLegacyMessage(message: unknown): message is JSONRPCMessage {
  if (!isRecord(message) || message.jsonrpc !== '2.0') return false
  if ('method' in message)
    return typeof message.method === 'string' && isPlain(message) && !claimsModern(message.params)
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

/** Whether a message answers a request of ours. */
export function isAnswer(message: JSONRPCMessage): message is JSONRPCResponse {
  return isRecord(message) && !('method' in message) && isId(message.id)
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
  return params === undefined || (isRecord(params) && isPlainMeta(params._meta))
}

/** The SDK passes over a request whose `_meta` it cannot read, and nobody would ever answer it. */
function isPlainMeta(meta: unknown): boolean {
  if (meta === undefined) return true
  if (!isRecord(meta) || relatedTaskKey in meta) return false
  const { progressToken } = meta
  return progressToken === undefined || typeof progressToken === 'string' || Number.isSafeInteger(progressToken)
}

function claimsModern(params: unknown): boolean {
  return isRecord(params) && isRecord(params._meta) && protocolVersionKey in params._meta
}

/** A message as JSON. A result that is none leaves as an error, since a request without an answer never ends. */
export function jsonOf(message: JSONRPCMessage): string {
  try {
    return JSON.stringify(message)
  } catch (error) {
    if ('method' in message) throw error
    return JSON.stringify({ jsonrpc: '2.0', id: message.id, error: internalError })
  }
}

/** What the messages of a POST take while they are worked on: two bytes for a character, since any text may need them. */
export function weightOf(exchange: Exchange, messages: readonly JSONRPCMessage[]): number {
  const length = Number(exchange.header('content-length'))
  return 2 * (length > 0 ? length : JSON.stringify(messages).length)
}
