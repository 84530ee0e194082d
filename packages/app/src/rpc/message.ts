/** The params of a message: an object, always. */
export type Params = Readonly<Record<string, unknown>>

export type RequestId = string | number

/** What a frame says. */
export type Message =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  | { readonly kind: 'result'; readonly id: RequestId; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: RequestId; readonly error: RpcError }
  /** An answer to nothing that could be told. */
  | { readonly kind: 'stray' }
  | { readonly kind: 'garbage'; readonly id: RequestId | null; readonly error: RpcError }

/** The numbers of the protocol, where no error class of ours stands for them. */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  protocolMismatch: -32000,
  cancelled: -32001,
  timeout: -32002,
  notFound: -32003,
  inputInvalid: -32004,
  handler: -32005,
  samplingNotAvailable: -32006,
  elicitationNotAvailable: -32007,
  samplingDepth: -32008,
  unauthorized: -32009,
  resumeFailed: -32011,
} as const

/** An error as it stands on the wire. */
export class RpcError extends Error {
  readonly number: number
  readonly data: unknown

  constructor(number: number, message: string, data?: unknown) {
    super(message)
    this.number = number
    this.data = data
  }
}

export function decodeMessage(text: string): Message {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return garbage(errorCodes.parse, 'The message is not JSON.')
  }
  if (!isRecord(value)) return garbage(errorCodes.invalidRequest, 'Send one message a frame, as an object.')
  const { jsonrpc, id, method, params = {} } = value
  const knownId = typeof id === 'string' || typeof id === 'number' ? id : null
  if (method === undefined && ('result' in value || 'error' in value)) return readAnswer(value, knownId)
  if (jsonrpc !== '2.0') return garbage(errorCodes.invalidRequest, 'A message has jsonrpc "2.0".', knownId)
  if (typeof method !== 'string') return garbage(errorCodes.invalidRequest, 'A message has a method.', knownId)
  if (!isRecord(params)) return garbage(errorCodes.invalidParams, 'The params are an object.', knownId)
  if (id === undefined) return { kind: 'notification', method, params }
  if (knownId === null) return garbage(errorCodes.invalidRequest, 'An id is a string or a number.')
  return { kind: 'request', id: knownId, method, params }
}

export function encodeRequest(id: RequestId, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

export function encodeNotification(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}

export function encodeResult(id: RequestId, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result })
}

export function encodeError(id: RequestId | null, { number, message, data }: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: number, message, ...(data !== undefined && { data }) } })
}

/** Whether a value is an object with properties to look at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readAnswer(value: Record<string, unknown>, id: RequestId | null): Message {
  if (id === null) return { kind: 'stray' }
  if (!isRecord(value.error)) return { kind: 'result', id, result: value.result }
  const { code, message, data } = value.error
  const number = typeof code === 'number' ? code : errorCodes.internal
  return { kind: 'error', id, error: new RpcError(number, typeof message === 'string' ? message : '', data) }
}

function garbage(code: number, message: string, id: RequestId | null = null): Message {
  return { kind: 'garbage', id, error: new RpcError(code, message) }
}
