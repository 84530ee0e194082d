// What a request is answered with, in the form in which it is kept.
import type { Call } from '../call/call.js'
import type { End } from '../call/wire.js'
import type { Encoded } from '../calls/detached/line.js'
import type { Incoming } from '../protocol/incoming.js'
import { hasRpcCode, RequestError } from '../protocol/request-error.js'
import { failure } from './results.js'

type Result = Record<string, unknown>

/** How a call that goes on by itself ends. */
export function encodeEnd(end: End<Result>, { peer }: Call<Result>): Encoded | Promise<Encoded> {
  return encode(() => readEnd(end, { method: 'tools/call', revision: peer.revision }))
}

/** What was kept of a call, as the reply to a request. */
export function decode(encoded: Encoded): Result {
  if ('result' in encoded) return encoded.result
  const { code, message, data } = encoded.error
  throw new RequestError(code, message, data)
}

/** A reply as it is kept: at once, where the result is there at once, as it mostly is. */
export function encode(make: () => Result | Promise<Result>): Encoded | Promise<Encoded> {
  try {
    const made = make()
    return made instanceof Promise ? made.then(result => ({ result }), encodeError) : { result: made }
  } catch (error) {
    return encodeError(error)
  }
}

function encodeError(error: unknown): Encoded {
  if (!hasRpcCode(error)) return { error: { code: -32603, message: String(error) } }
  const { code, message, data } = error
  return { error: { code, message, ...(data !== undefined && { data }) } }
}

/** How the end of a handler leaves. */
export function readEnd(end: End<Result>, from: Pick<Incoming, 'method' | 'revision'>): Result {
  return end.kind === 'finished' ? end.result : failure(end.error, from)
}
