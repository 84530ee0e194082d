// What a request is answered with, in the form in which it is kept.
import type { Call } from '../call/call.js'
import type { End } from '../call/call-types.js'
import type { CallResponse } from '../log/events.js'
import { withNotice } from '../person/tell-model.js'
import { hasRpcCode, RequestError } from '../protocol/request-error.js'
import { internalError } from '../protocol/wire-error.js'
import { copyJson } from '../store/copy-json.js'
import type { JsonValue } from '../store/index.js'
import { failure } from './results.js'

type Result = Record<string, unknown>

/**
 * How a call ends, for the request that began it.
 * @param onError told of a result that is not JSON
 */
export function encodeEnd(
  end: End<Result>,
  { peer, target, missedPerson }: Call<Result>,
  onError: (error: unknown) => void,
): CallResponse {
  const { method } = target
  let result: Result
  try {
    result = end.kind === 'finished' ? end.result : failure(end.error, { method, revision: peer.revision })
  } catch (error) {
    return encodeError(error)
  }
  const told = missedPerson && method === 'tools/call' ? withNotice(result) : result
  try {
    // The same answers get the same reply, whatever becomes of the objects that the handler returned.
    return { result: copyJson(told as JsonValue) as Result }
  } catch (error) {
    onError(error)
    return { error: internalError }
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
  const kept = jsonOf(data)
  return { error: { code, message, ...(kept !== undefined && { data: kept }) } }
}

/** Undefined for what has no JSON. */
function jsonOf(value: unknown): JsonValue | undefined {
  try {
    return value === undefined ? undefined : copyJson(value as JsonValue)
  } catch {
    return undefined
  }
}
