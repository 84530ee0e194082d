/** A JSON-RPC error as it goes out. */
export interface WireError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** A thrown value as a JSON-RPC error; undefined when it was not meant to leave as one, and must not be shown to a client. */
export function wireErrorOf(thrown: unknown, era: '2025' | '2026'): WireError | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown) || !Number.isSafeInteger(thrown.code))
    return undefined
  const { code, message, data } = thrown as { code: number; message?: unknown; data?: unknown }
  const error = {
    // 2026-07-28 has no number of its own for a resource that is not there.
    code: code === -32002 && era === '2026' ? -32602 : code,
    message: typeof message === 'string' ? message : 'Internal error',
  }
  return data === undefined ? error : { ...error, data }
}

export const internalError: WireError = { code: -32603, message: 'Internal error' }
export const methodNotFound: WireError = { code: -32601, message: 'Method not found' }
