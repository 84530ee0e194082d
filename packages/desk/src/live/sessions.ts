import type { Settled } from '../log/order.js'
import { encodeSummary } from './catalogue.js'
import { parseChannel } from './channel.js'
import type { Client, Connection } from './connection.js'
import { errorCodes, type Params, RpcError } from './json-rpc.js'
import type { LiveDesk } from './live-desk.js'

/** What a client may call a session: what a URI has without escapes, and no path. */
const sessionName = /^[\w.~:@!$&'()*+,;=-]{1,200}$/
const longestText = 500

export async function createSession(
  desk: LiveDesk,
  { visitor }: Connection,
  client: Client,
  { channel, provider, title }: Params,
): Promise<string> {
  const id = sessionOf(channel, client)
  if (!sessionName.test(id)) throw invalid('channel is ahp-session:/ and a name of at most 200 characters.')
  if (!isShort(provider) || !isShort(title))
    throw invalid(`provider and title are texts of at most ${longestText} characters.`)
  const isThere = (): boolean => desk.order.state.session(id) !== undefined
  const exists = new RpcError(errorCodes.sessionExists, 'There is a session of this name already.')
  if (isThere()) throw exists
  const settled = await desk.gate.createSession(visitor, id, {
    ...(provider !== undefined && { server: provider }),
    ...(title !== undefined && { title }),
  })
  if (settled.kind === 'refused' && isThere()) throw exists
  return done(settled)
}

export async function disposeSession(
  desk: LiveDesk,
  { visitor }: Connection,
  client: Client,
  { channel }: Params,
): Promise<string> {
  const id = sessionOf(channel, client)
  const isThere = (): boolean => desk.order.state.session(id) !== undefined
  const gone = new RpcError(errorCodes.sessionNotFound, 'There is no such session.')
  if (!isThere()) throw gone
  const settled = await desk.gate.disposeSession(visitor, id)
  if (settled.kind === 'refused' && !isThere()) throw gone
  return done(settled)
}

/** The sessions, last changed first; with a `limit` page by page. */
export function listSessions({ order }: LiveDesk, { dialect }: Client, { limit, cursor }: Params): string {
  if (limit !== undefined && !(Number.isSafeInteger(limit) && Number(limit) > 0))
    throw invalid('limit is a whole number above 0.')
  const from = cursor === undefined ? undefined : decodeCursor(cursor)
  const rows = [...order.state.sessions()]
    .map(record => ({ record, at: record.bare.older.summary.modifiedAt, id: record.id }))
    .sort(inOrder)
    .filter(row => from === undefined || inOrder(from, row) < 0)
  const page = rows.slice(0, limit === undefined ? rows.length : Number(limit))
  const last = page.at(-1)
  const next = last !== undefined && page.length < rows.length ? { nextCursor: encodeCursor(last) } : {}
  return JSON.stringify({ items: page.map(({ record }) => encodeSummary(record, dialect)), ...next })
}

interface Place {
  readonly at: number
  readonly id: string
}

function inOrder(a: Place, b: Place): number {
  return b.at - a.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

function encodeCursor({ at, id }: Place): string {
  return Buffer.from(`${at} ${id}`).toString('base64url')
}

function decodeCursor(cursor: unknown): Place {
  const match =
    typeof cursor === 'string' ? /^(\d{1,15}) (.+)$/s.exec(Buffer.from(cursor, 'base64url').toString()) : null
  if (match === null) throw invalid('This cursor is not from here. Leave it out to begin at the first page.')
  return { at: Number(match[1]), id: String(match[2]) }
}

function sessionOf(channel: unknown, { dialect }: Client): string {
  const parsed = parseChannel(channel, dialect)
  if (parsed?.kind !== 'session') throw invalid('channel is that of a session.')
  return parsed.session
}

function done(settled: Settled): string {
  if (settled.kind === 'refused') throw new RpcError(errorCodes.denied, settled.reason)
  return 'null'
}

function isShort(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.length <= longestText)
}

function invalid(message: string): RpcError {
  return new RpcError(errorCodes.invalidParams, message)
}
