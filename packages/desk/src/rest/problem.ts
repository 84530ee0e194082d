import { describeRefusal, type Refusal } from '@beckon/core/live'
import { type RefusalStatus, refusals } from '../policy/refusals.js'
import { json, type RestReply } from './exchange.js'

const titles: Readonly<Record<RefusalStatus, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Content too large',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  429: 'Too many requests',
  503: 'Unavailable',
}

/** Why something is not done, as problem details (RFC 9457), with the code and its parameters for programs. */
export function problem(refusal: Refusal, more: object = {}): RestReply {
  const { code, params } = refusal
  const { http: status } = refusals[code]
  const detail = describeRefusal(refusal)
  return json(
    status,
    { type: 'about:blank', title: titles[status], status, code, params, detail, ...more },
    { 'content-type': 'application/problem+json' },
  )
}

/** A request that is not as it should be: `detail` is for the author of the program that sent it. */
export function invalidRequest(detail: string): RestReply {
  return problem({ code: 'request-invalid', params: { detail } })
}

/** The same, for what is worth trying again in a moment. */
export function later(reply: RestReply): RestReply {
  return { ...reply, headers: { ...reply.headers, 'retry-after': '1' } }
}
