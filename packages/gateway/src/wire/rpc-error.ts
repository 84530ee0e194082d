import { BeckonError, InvalidFormError } from '@beckon/core'
import { codes } from './codes.js'

/** An error as it goes over the application wire, either way. */
export class RpcError extends Error {
  readonly rpcCode: number
  readonly data: unknown

  constructor(rpcCode: number, message: string, data?: unknown) {
    super(message)
    this.name = 'RpcError'
    this.rpcCode = rpcCode
    this.data = data
  }
}

/** Any error as one that an application can be sent: with its number, and with what to do about it. */
export function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error
  if (error instanceof InvalidFormError) {
    const { code, property, reason, remedy } = error
    return new RpcError(error.number, error.message, { code, property, reason, remedy })
  }
  if (error instanceof BeckonError) return new RpcError(error.number, error.message, { code: error.code })
  return new RpcError(codes.internal, error instanceof Error ? error.message : String(error))
}
