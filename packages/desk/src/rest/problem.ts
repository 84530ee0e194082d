import { json, type RestReply } from './exchange.js'

const titles = {
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
  500: 'Internal error',
  503: 'Unavailable',
} as const

export type ProblemStatus = keyof typeof titles

/** Why something is not done, as problem details (RFC 9457). */
export function problem(status: ProblemStatus, detail: string, more: object = {}): RestReply {
  return json(
    status,
    { type: 'about:blank', title: titles[status], status, detail, ...more },
    { 'content-type': 'application/problem+json' },
  )
}
