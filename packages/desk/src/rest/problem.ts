import { type RefusalCode, refusals } from '../policy/refusals.js'
import { json, type RestReply } from './exchange.js'

const titles: Readonly<Record<(typeof refusals)[RefusalCode]['http'], string>> = {
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

/** Why something is not done, as problem details (RFC 9457), with a code for programs. */
export function problem(code: RefusalCode, detail: string, more: object = {}): RestReply {
  const { http: status } = refusals[code]
  return json(
    status,
    { type: 'about:blank', title: titles[status], status, code, detail, ...more },
    { 'content-type': 'application/problem+json' },
  )
}

/** The same, for what is worth trying again in a moment. */
export function later(reply: RestReply): RestReply {
  return { ...reply, headers: { ...reply.headers, 'retry-after': '1' } }
}
