import type { WireError } from './reply-with.js'

/** A thrown value as a JSON-RPC error; undefined when it is none, and so must not be shown to a client. */
export function wireErrorOf(thrown: unknown): WireError | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown) || !Number.isSafeInteger(thrown.code))
    return undefined
  const { code, message, data } = thrown as { code: number; message?: unknown; data?: unknown }
  // -32002 is gone from 2026-07-28, and the SDK sends it as this too.
  const error = {
    code: code === -32002 ? -32602 : code,
    message: typeof message === 'string' ? message : 'Internal error',
  }
  return data === undefined ? error : { ...error, data }
}

export const internalError: WireError = { code: -32603, message: 'Internal error' }
