// More of someone's open asks than the first page of `beckon-asks://`: by page, of one session, or by a search.

import type { Params } from '@beckon/core/json-rpc'
import type { ListedAsks } from '@beckon/core/live'
import { encodeEntry } from '../dialects/asks.js'
import type { Place } from '../index/ask-index.js'
import { seenBy } from '../policy/audience.js'
import { searchAsks } from '../sessions/search-asks.js'
import type { Connection } from './connection.js'
import { invalidParams } from './invalid-params.js'
import type { LiveDesk } from './live-desk.js'

const defaultPage = 50
const maxPage = 200
const maxTextChars = 200

export async function listAsks(desk: LiveDesk, { viewer }: Connection, params: Params): Promise<ListedAsks> {
  const { limit = defaultPage, cursor, order } = params
  if (!Number.isSafeInteger(limit) || Number(limit) < 1) throw invalidParams('limit must be a whole number above 0.')
  if (order !== undefined && order !== 'due') throw invalidParams('order is "due", or not there.')
  const filter = {
    session: textIn(params, 'session'),
    server: textIn(params, 'server'),
    tool: textIn(params, 'tool'),
    search: textIn(params, 'search'),
    mine: flagIn(params, 'mine'),
    destructive: flagIn(params, 'destructive'),
  }
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const page = await searchAsks(desk, viewer, { limit: Math.min(Number(limit), maxPage), after, order, ...filter })
  const how = { seen: seenBy(viewer), membersOf: desk.membersOf }
  return {
    asks: page.asks.flatMap(({ session, ask }) => encodeEntry(session, ask, how) ?? []),
    ...(page.next && { nextCursor: encodeCursor(page.next) }),
    ...(page.searchedTo !== undefined && { searchedTo: page.searchedTo }),
  }
}

export function encodeCursor({ at, member }: Place): string {
  return Buffer.from(`${at} ${member}`).toString('base64url')
}

export function decodeCursor(cursor: unknown): Place {
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : ''
  const [, at, member] = /^(\d{1,15}) ([ -~]{1,256})$/.exec(text) ?? []
  if (at === undefined || member === undefined)
    throw invalidParams('Unknown cursor. Leave it out to begin at the first page.')
  return { at: Number(at), member }
}

function textIn(params: Params, name: string): string | undefined {
  const value = params[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value.length > maxTextChars)
    throw invalidParams(`${name} must be a string of at most ${maxTextChars} characters.`)
  return value
}

function flagIn(params: Params, name: string): boolean | undefined {
  const value = params[name]
  if (value !== undefined && typeof value !== 'boolean') throw invalidParams(`${name} must be true or false.`)
  return value
}
