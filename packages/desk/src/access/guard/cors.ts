// Pages of other origins may read what the desk answers only when the operator listed them, and never with a cookie:
// `Access-Control-Allow-Credentials` is not sent, to anyone.
import type { AccessRequest, AccessResponse, Header } from '../access.js'
import type { Guard } from './guard.js'

/** What lets a listed page read the answer to this request. */
export function corsHeaders(request: AccessRequest, { origins }: Guard): readonly Header[] {
  if (origins.length === 0) return []
  const origin = request.header('origin')
  const vary: Header = ['Vary', 'Origin']
  return origin !== undefined && origins.includes(origin)
    ? [['Access-Control-Allow-Origin', origin], ['Access-Control-Expose-Headers', 'Retry-After'], vary]
    : [vary]
}

/** The answer to a browser that asks what a listed page may send; undefined when this is not such a question. */
export function preflight(request: AccessRequest): AccessResponse | undefined {
  if (request.method !== 'OPTIONS' || request.header('access-control-request-method') === undefined) return undefined
  return {
    status: 204,
    headers: [
      ['Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE'],
      ['Access-Control-Allow-Headers', 'authorization, content-type, last-event-id, x-beckon-device'],
      ['Access-Control-Max-Age', '600'],
    ],
    body: '',
  }
}
