// One JSON-RPC message a text, and back. What comes in is not trusted: every text is read into one of four kinds.
import { isRecord } from '../collections/record.js'
import { hasInfiniteNumber } from './infinite-number.js'
import { isNestedTooDeeply } from './nesting.js'
import { errorCodes, RpcError } from './rpc-error.js'

/** The params of a message: an object, always. */
export type Params = Readonly<Record<string, unknown>>

export type RequestId = string | number

/** What a text says. */
export type Message =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  | RpcResponse
  /** Not a message. Its sender is told `error`. */
  | { readonly kind: 'invalid'; readonly id: RequestId | null; readonly error: RpcError }

/** What came of a request. Without an id, of one that the other side could not read. */
export type RpcResponse = { readonly kind: 'response'; readonly id: RequestId | null } & (
  | { readonly result: unknown; readonly error?: undefined }
  | { readonly error: RpcError }
)

/** Reads a text. One that is nested deeper than `maxDepth` is not parsed, and one with a number that JSON cannot say again is invalid. */
export function decodeMessage(text: string, maxDepth?: number): Message {
  if (isNestedTooDeeply(text, maxDepth)) return invalid('The message is nested too deeply.')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'invalid', id: null, error: new RpcError(errorCodes.parseError, 'The message is not JSON.') }
  }
  if (Array.isArray(value)) return invalid('Send one message at a time, not a batch.')
  if (!isRecord(value)) return invalid('A message must be an object.')
  const { id: given, method, params } = value
  const id = typeof given === 'string' || typeof given === 'number' ? given : null
  if (value.jsonrpc !== '2.0') return invalid('A message must have jsonrpc "2.0".', id)
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'response', id, ...endOf(value) }
  if (typeof method !== 'string') return invalid('A message must have a method.', id)
  if (hasInfiniteNumber(text, value)) return invalid('A number in the message is too large.', id)
  // Some libraries write null where there are no params.
  const known = params ?? {}
  if (!isRecord(known))
    return { kind: 'invalid', id, error: new RpcError(errorCodes.invalidParams, 'Params must be an object.') }
  if (given === undefined) return { kind: 'notification', method, params: known }
  if (id === null) return invalid('An id must be a string or a number.')
  return { kind: 'request', id, method, params: known }
}

// Below, a string is JSON already: what was written once can be in many messages.

export function encodeRequest(id: RequestId, method: string, params: object | string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":${JSON.stringify(method)},"params":${json(params)}}`
}

export function encodeNotification(method: string, params: object | string): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${json(params)}}`
}

export function encodeResult(id: RequestId, result: object | null | string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json(result)}}`
}

export function encodeError(id: RequestId | null, { code, message, data }: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })
}

function json(value: object | null | string): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function endOf({ result, error }: Params): { result: unknown } | { error: RpcError } {
  // Some libraries write null where there is no error.
  if (result !== undefined && (error === undefined || error === null)) return { result }
  const { code, message, data } = isRecord(error) ? error : {}
  return {
    error: new RpcError(
      typeof code === 'number' ? code : errorCodes.internalError,
      typeof message === 'string' ? message : '',
      data,
    ),
  }
}

function invalid(message: string, id: RequestId | null = null): Message {
  return { kind: 'invalid', id, error: new RpcError(errorCodes.invalidRequest, message) }
}
