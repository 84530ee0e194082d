import { BeckonError, InvalidFormError } from '@beckon/core'
import { errorCodes, RpcError } from '@beckon/core/json-rpc'

/** What an application is told of an error: with its number, and with what to do about it. */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error
  if (error instanceof InvalidFormError) {
    const { code, kind, property, reason, remedy } = error
    return new RpcError(code, error.message, { kind, property, reason, remedy })
  }
  if (error instanceof BeckonError) return new RpcError(error.code, error.message, { kind: error.kind })
  return new RpcError(errorCodes.internalError, error instanceof Error ? error.message : String(error))
}
