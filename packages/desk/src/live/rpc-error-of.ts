import { RpcError } from '@beckon/core/json-rpc'
import { describeRefusal, type Refusal, type RefusalData } from '@beckon/core/live'
import { refusals } from '../policy/refusals.js'

/** A refusal as the error of a request. */
export function rpcErrorOf(refusal: Refusal, reason: string = describeRefusal(refusal)): RpcError {
  const { code, params } = refusal
  const data: RefusalData = { code, ...(params && { params: { ...params } }) }
  return new RpcError(refusals[code].rpc, reason, data)
}
