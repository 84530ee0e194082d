import { AnswerInvalidError, BeckonError } from '@beckon/core'
import { RpcError } from '@beckon/core/json-rpc'
import { protocolCodes } from './protocol-codes.js'

/** What a gateway is told of an error: a handler's, or one of ours. */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error
  if (error instanceof AnswerInvalidError) return new RpcError(error.code, error.message, error.issues)
  if (error instanceof BeckonError) return new RpcError(error.code, error.message)
  return new RpcError(protocolCodes.handler, error instanceof Error ? error.message : String(error))
}
