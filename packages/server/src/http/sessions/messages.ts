import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { isJsonObject, type JsonObject } from '../json-object.js'
import { isId } from '../lean/regular-request.js'
import type { RequestId } from '../reply-with.js'

const protocolVersionKey = 'io.modelcontextprotocol/protocolVersion'

export interface WireRequest {
  readonly id: RequestId
  readonly method: string
  readonly params?: unknown
}

/** Whether this is a message of a 2025 session beyond doubt: well-formed, and with nothing of 2026-07-28 about it. */
export function isLegacyMessage(message: unknown): message is JSONRPCMessage {
  if (!isJsonObject(message) || message.jsonrpc !== '2.0') return false
  if ('method' in message)
    return typeof message.method === 'string' && isPlain(message) && !claimsModern(message.params)
  const isResult = isJsonObject(message.result) && !('error' in message)
  const isError = isJsonObject(message.error) && !('result' in message)
  return isId(message.id) && (isResult || isError)
}

function isRequest(message: unknown): message is WireRequest {
  return isJsonObject(message) && typeof message.method === 'string' && isId(message.id)
}

/** The ids of the requests among messages. */
export function requestIds(messages: readonly unknown[]): RequestId[] {
  return messages.flatMap(message => (isRequest(message) ? [message.id] : []))
}

export function isInitialize(message: unknown): message is WireRequest {
  return isRequest(message) && message.method === 'initialize'
}

/** The request that a client cancels with this message. */
export function cancelledBy(message: unknown): RequestId | undefined {
  if (!isJsonObject(message) || message.method !== 'notifications/cancelled') return undefined
  const id = isJsonObject(message.params) ? message.params.requestId : undefined
  return isId(id) ? id : undefined
}

function isPlain(message: JsonObject): boolean {
  const { id, params } = message
  return (id === undefined ? !('id' in message) : isId(id)) && (params === undefined || isJsonObject(params))
}

function claimsModern(params: unknown): boolean {
  return isJsonObject(params) && isJsonObject(params._meta) && protocolVersionKey in params._meta
}
