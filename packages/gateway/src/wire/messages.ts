// Frames as messages, and back. What an application sends is not trusted: everything is read into one of a few shapes.
import { codes } from './codes.js'
import { isNestedTooDeeply } from './nesting.js'
import { RpcError } from './rpc-error.js'

export type Params = Readonly<Record<string, unknown>>
export type RequestId = string | number

/** What a frame says. */
export type Message =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  | { readonly kind: 'result'; readonly id: RequestId; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: RequestId; readonly error: RpcError }
  | { readonly kind: 'garbage'; readonly id: RequestId | null; readonly error: RpcError }

export function decodeMessage(text: string): Message {
  if (isNestedTooDeeply(text)) return garbage(codes.invalidRequest, 'The message is nested too deeply.')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return garbage(codes.parse, 'The message is not JSON.')
  }
  if (Array.isArray(value)) return garbage(codes.invalidRequest, 'Send one message a frame, not a batch.')
  if (!isRecord(value)) return garbage(codes.invalidRequest, 'A message is an object.')
  const { id, method, params = {} } = value
  const knownId = isId(id) ? id : null
  if (value.jsonrpc !== '2.0') return garbage(codes.invalidRequest, 'A message has jsonrpc "2.0".', knownId)
  if (method === undefined && knownId !== null) {
    if ('error' in value) return { kind: 'error', id: knownId, error: readError(value.error) }
    if ('result' in value) return { kind: 'result', id: knownId, result: value.result }
  }
  if (typeof method !== 'string') return garbage(codes.invalidRequest, 'A message has a method.', knownId)
  // Some libraries write null where there are no parameters.
  const given = params === null ? {} : params
  if (!isRecord(given)) return garbage(codes.invalidParams, 'The params are an object.', knownId)
  if (id === undefined) return { kind: 'notification', method, params: given }
  if (knownId === null) return garbage(codes.invalidRequest, 'An id is a string or a number.')
  return { kind: 'request', id: knownId, method, params: given }
}

export function encodeRequest(id: RequestId, method: string, params: Params): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

export function encodeNotification(method: string, params: Params): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}

export function encodeResult(id: RequestId, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: result ?? null })
}

export function encodeError(id: RequestId | null, { rpcCode, message, data }: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: rpcCode, message, ...(data !== undefined && { data }) } })
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readError(error: unknown): RpcError {
  const { code, message, data } = isRecord(error) ? error : {}
  return new RpcError(
    typeof code === 'number' ? code : codes.internal,
    typeof message === 'string' ? message : 'The application failed and did not say why.',
    data,
  )
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number'
}

function garbage(code: number, message: string, id: RequestId | null = null): Message {
  return { kind: 'garbage', id, error: new RpcError(code, message) }
}
