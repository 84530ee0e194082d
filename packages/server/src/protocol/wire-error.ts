import type { ConnectionCodec } from './codec.js'

/** A JSON-RPC error as it goes out. */
export interface WireError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** A thrown value as a JSON-RPC error; undefined when it was not meant to leave as one, and must not be shown to a client. */
export function wireErrorOf(thrown: unknown, codec: ConnectionCodec): WireError | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown) || !Number.isSafeInteger(thrown.code))
    return undefined
  const { code, message, data } = thrown as { code: number; message?: unknown; data?: unknown }
  const error = {
    code: code === -32002 ? codec.resourceNotFound : code,
    message: typeof message === 'string' ? message : 'Internal error',
  }
  return data === undefined ? error : { ...error, data }
}

export const internalError: WireError = { code: -32603, message: 'Internal error' }
export const methodNotFound: WireError = { code: -32601, message: 'Method not found' }
