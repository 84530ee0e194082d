import { BeckonError, InvalidFormError } from '@beckon/core'
import { errorCodes, RpcError } from '@beckon/core/json-rpc'

/** What an application is told of an error: with its number, and with what to do about it. */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error
  if (error instanceof InvalidFormError) {
    const { code, property, reason, remedy } = error
    return new RpcError(error.number, error.message, { code, property, reason, remedy })
  }
  if (error instanceof BeckonError) return new RpcError(error.number, error.message, { code: error.code })
  return new RpcError(errorCodes.internalError, error instanceof Error ? error.message : String(error))
}
