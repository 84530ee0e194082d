// What a request is answered with, in the form in which it is kept.
import type { Call } from '../call/call.js'
import type { End } from '../call/call-types.js'
import type { CallResponse } from '../log/events.js'
import { withNotice } from '../person/tell-model.js'
import { hasRpcCode, RequestError } from '../protocol/request-error.js'
import { failure } from './results.js'

type Result = Record<string, unknown>

/** How a call ends, for the request that began it. */
export function encodeEnd(end: End<Result>, { peer, target, missedPerson }: Call<Result>): CallResponse {
  const { method } = target
  try {
    const result = end.kind === 'finished' ? end.result : failure(end.error, { method, revision: peer.revision })
    return { result: missedPerson && method === 'tools/call' ? withNotice(result) : result }
  } catch (error) {
    return encodeError(error)
  }
}

/** What was kept of a call, as the reply to a request. */
export function decode(encoded: CallResponse): Result {
  if ('result' in encoded) return encoded.result
  const { code, message, data } = encoded.error
  throw new RequestError(code, message, data)
}

function encodeError(error: unknown): CallResponse {
  if (!hasRpcCode(error)) return { error: { code: -32603, message: String(error) } }
  const { code, message, data } = error
  return { error: { code, message, ...(data !== undefined && { data }) } }
}
