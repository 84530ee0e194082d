import { RpcError } from '@beckon/core/json-rpc'
import { liveErrorCodes } from '@beckon/core/live'

/** The error of a request whose parameters are wrong. */
export function invalidParams(message: string): RpcError {
  return new RpcError(liveErrorCodes.invalidParams, message)
}
