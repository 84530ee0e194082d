import type { Params } from '@beckon/core/json-rpc'
import { type ListedSessions, parseChannel } from '@beckon/core/live'
import { encodeListed } from '../dialects/listed.js'
import { listSessionsFor } from '../sessions/list-sessions.js'
import type { Settled } from '../sessions/sessions.js'
import { isSessionName } from '../turns/decisions.js'
import type { Client, Connection } from './connection.js'
import { invalidParams } from './invalid-params.js'
import { decodeCursor, encodeCursor } from './list-asks.js'
import type { LiveDesk } from './live-desk.js'
import { rpcErrorOf } from './rpc-error-of.js'

const maxTextChars = 500
const defaultPage = 200
const maxPage = 1_000

export async function createSession(
  { actions }: LiveDesk,
  { viewer }: Connection,
  client: Client,
  { channel, provider, title }: Params,
): Promise<null> {
  const id = sessionOf(channel, client)
  if (!isSessionName(id)) throw invalidParams('channel is ahp-session:/ and a name of at most 200 characters.')
  if (!isShort(provider) || !isShort(title))
    throw invalidParams(`provider and title must be strings of at most ${maxTextChars} characters.`)
  return done(
    await actions.createSession(viewer, id, {
      ...(provider !== undefined && { server: provider }),
      ...(title !== undefined && { title }),
    }),
  )
}

export async function disposeSession(
  { actions }: LiveDesk,
  { viewer }: Connection,
  client: Client,
  { channel }: Params,
): Promise<null> {
  return done(await actions.disposeSession(viewer, sessionOf(channel, client)))
}

/** The sessions that someone may see, newest first, page by page. */
export async function listSessions(
  desk: LiveDesk,
  { viewer }: Connection,
  { dialect }: Client,
  { limit = defaultPage, cursor }: Params,
): Promise<ListedSessions> {
  if (!(Number.isSafeInteger(limit) && Number(limit) > 0)) throw invalidParams('limit must be a whole number above 0.')
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const page = await listSessionsFor(desk, viewer, { limit: Math.min(Number(limit), maxPage), after })
  const next = page.next && { nextCursor: encodeCursor(page.next) }
  return { items: page.sessions.map(session => encodeListed(session, dialect)), ...next }
}

function sessionOf(channel: unknown, { dialect }: Client): string {
  const parsed = parseChannel(channel, dialect)
  if (parsed?.kind !== 'session') throw invalidParams('channel is that of a session.')
  return parsed.session
}

function done(settled: Settled): null {
  if (settled.kind === 'accepted') return null
  const { kind: _, ...refusal } = settled
  throw rpcErrorOf(refusal.code === 'recorded' ? { code: 'not-allowed' } : refusal)
}

function isShort(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.length <= maxTextChars)
}
