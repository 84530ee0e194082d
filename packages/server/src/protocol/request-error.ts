import { BeckonError } from '@beckon/core'
import { StoreUnavailableError } from '../store/store-unavailable.js'

/** An error that leaves as a JSON-RPC error, with a number that the revision allows. */
export class RequestError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'RequestError'
    this.code = code
    this.data = data
  }
}

/**
 * Whether an error was thrown to leave as a JSON-RPC error: it has an integer for a code. Our own errors have one as well,
 * and are for the handler; the kind of an uncaught one decides what it becomes.
 */
export function hasRpcCode(error: unknown): error is { code: number; message: string; data?: unknown } {
  if (typeof error !== 'object' || error === null || error instanceof BeckonError) return false
  return 'code' in error && Number.isInteger(error.code)
}

/** A store that is away, as a client is told: the same request may succeed in a moment. Any other error is as it was. */
export function orStoreAway(error: unknown): unknown {
  return error instanceof StoreUnavailableError
    ? new RequestError(error.code, error.message, { kind: error.kind })
    : error
}
