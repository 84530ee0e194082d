import { isNestedTooDeeply } from './nesting.js'

export type Params = Readonly<Record<string, unknown>>
export type RequestId = string | number

/** What a frame says. */
export type Message =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  /** An answer to something; the desk asks its clients nothing. */
  | { readonly kind: 'answer' }
  | { readonly kind: 'garbage'; readonly id: RequestId | null; readonly error: RpcError }

/** The protocol's error codes. */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  tooMany: -32000,
  sessionNotFound: -32001,
  sessionExists: -32003,
  unsupportedVersion: -32005,
  notFound: -32008,
  denied: -32009,
} as const

/** A request that cannot be done, as its sender is told. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export function decodeMessage(text: string): Message {
  if (isNestedTooDeeply(text)) return garbage(errorCodes.invalidRequest, 'The message is nested too deeply.')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return garbage(errorCodes.parse, 'The message is not JSON.')
  }
  if (Array.isArray(value)) return garbage(errorCodes.invalidRequest, 'Send one message a frame, not a batch.')
  if (!isObject(value)) return garbage(errorCodes.invalidRequest, 'A message is an object.')
  const { id, method, params = {} } = value
  const knownId = typeof id === 'string' || typeof id === 'number' ? id : null
  if (value.jsonrpc !== '2.0') return garbage(errorCodes.invalidRequest, 'A message has jsonrpc "2.0".', knownId)
  if (method === undefined && id !== undefined && ('result' in value || 'error' in value)) return { kind: 'answer' }
  if (typeof method !== 'string') return garbage(errorCodes.invalidRequest, 'A message has a method.', knownId)
  if (!isObject(params)) return garbage(errorCodes.invalidParams, 'The params are an object.', knownId)
  if (id === undefined) return { kind: 'notification', method, params }
  if (knownId === null) return garbage(errorCodes.invalidRequest, 'An id is a string or a number.')
  return { kind: 'request', id: knownId, method, params }
}

/** `result` is JSON already, so that what was written once need not be written again. */
export function encodeResult(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

export function encodeError(id: RequestId | null, { code, message, data }: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } })
}

/** `params` is JSON already. */
export function encodeNotification(method: string, params: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${params}}`)
}

export function isObject(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function garbage(code: number, message: string, id: RequestId | null = null): Message {
  return { kind: 'garbage', id, error: new RpcError(code, message) }
}
