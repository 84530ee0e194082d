import { AnswerInvalidError, BeckonError } from '@beckon/core'
import { AppError } from '../errors/index.js'
import { errorCodes, RpcError } from '../rpc/message.js'

/** What an error of a handler, or of ours, is on the wire. */
export function wireError(error: unknown): RpcError {
  if (error instanceof RpcError) return error
  if (error instanceof AnswerInvalidError) return new RpcError(error.number, error.message, error.issues)
  if (error instanceof BeckonError || error instanceof AppError) return new RpcError(error.number, error.message)
  return new RpcError(errorCodes.handler, error instanceof Error ? error.message : String(error))
}
