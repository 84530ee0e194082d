import type { RestReply } from './exchange.js'
import { problem } from './problem.js'

/** A place in a list that is newest first: after everything that is at least as new. */
export interface Place {
  readonly at: number
  readonly id: string
}

export interface Page {
  readonly limit: number
  readonly after?: Place
}

const defaultLimit = 50
const maxLimit = 200

/** Which page a query wants, or what is wrong with it. A limit that is too high is lowered. */
export function pageOf(query: URLSearchParams): Page | RestReply {
  const limit = limitOf(query, { usual: defaultLimit, most: maxLimit })
  if (limit === undefined) return problem('request-invalid', 'limit is a whole number from 1.')
  const cursor = query.get('cursor')
  if (cursor === null) return { limit }
  const [, at, id] = /^(\d{1,15})\.([\s\S]+)$/.exec(cursor) ?? []
  if (at === undefined || id === undefined)
    return problem('request-invalid', 'cursor is what nextCursor was, and nothing else.')
  return { limit, after: { at: Number(at), id } }
}

export function limitOf(query: URLSearchParams, { usual, most }: { usual: number; most: number }): number | undefined {
  const text = query.get('limit')
  if (text === null) return usual
  return /^\d{1,15}$/.test(text) && Number(text) > 0 ? Math.min(Number(text), most) : undefined
}

export function cursorOf({ at, id }: Place): string {
  return `${at}.${id}`
}

/** Oldest first; of the same time, by id. */
export function comparePlaces(a: Place, b: Place): number {
  return a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
