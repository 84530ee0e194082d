import type { Place } from '../index/ask-index.js'
import type { RestReply } from './exchange.js'
import { invalidRequest } from './problem.js'

export interface Page {
  readonly limit: number
  readonly after?: Place
}

const defaultLimit = 50
const maxLimit = 200

/** Which page a query wants, or what is wrong with it. A limit that is too high is lowered. */
export function pageOf(query: URLSearchParams): Page | RestReply {
  const limit = limitOf(query, { usual: defaultLimit, max: maxLimit })
  if (limit === undefined) return invalidRequest('limit is a whole number from 1.')
  const cursor = query.get('cursor')
  if (cursor === null) return { limit }
  const [, at, member] = /^(\d{1,15})\.([ -~]{1,256})$/.exec(cursor) ?? []
  if (at === undefined || member === undefined)
    return invalidRequest('cursor is what nextCursor was, and nothing else.')
  return { limit, after: { at: Number(at), member } }
}

export function limitOf(query: URLSearchParams, { usual, max }: { usual: number; max: number }): number | undefined {
  const text = query.get('limit')
  if (text === null) return usual
  return /^\d{1,15}$/.test(text) && Number(text) > 0 ? Math.min(Number(text), max) : undefined
}

export function cursorOf({ at, member }: Place): string {
  return `${at}.${member}`
}
