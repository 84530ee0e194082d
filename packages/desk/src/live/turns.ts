// The turns of a session by page. Without chats a client asks for turns, and is given them. With them a client may ask for a chat with its last turns
// alone (`view.turns`); it is then told of earlier ones, page by page, on the chat's channel, before its `fetchTurns` is answered.
import type { ChatAction, ChatState } from '@beckon/core/chat'
import { isRecord, type Params } from '@beckon/core/json-rpc'
import { dialectTraits, type FetchedTurns, parseChannel } from '@beckon/core/live'
import { encodeChat, encodeOlder } from '../dialects/states.js'
import type { Session } from '../model/session.js'
import { maySee, seenBy } from '../policy/audience.js'
import type { Client, Connection } from './connection.js'
import { invalidParams } from './invalid-params.js'
import type { LiveDesk } from './live-desk.js'
import { encodeAction, encodeEnvelope } from './notifications.js'
import { rpcErrorOf } from './rpc-error-of.js'

const pageTurns = 50

/** How many of the last turns a client wants to begin with; undefined for all of them. */
export function turnsWanted({ view }: Params): number | undefined {
  const turns = isRecord(view) ? view.turns : undefined
  return Number.isSafeInteger(turns) && Number(turns) >= 0 ? Number(turns) : undefined
}

/** A chat with its last turns alone. */
export function withLastTurns(chat: ChatState, count: number): ChatState {
  return chat.turns.length > count ? pageBefore(chat, chat.turns.length, count) : chat
}

export async function fetchTurns(
  desk: LiveDesk,
  connection: Connection,
  client: Client,
  params: Params,
): Promise<FetchedTurns> {
  const channel = parseChannel(params.channel, client.dialect)
  const { hasChats } = dialectTraits[client.dialect]
  if (channel?.kind !== (hasChats ? 'chat' : 'session')) throw invalidParams('This channel has no turns.')
  if (hasChats) return loadTurns(desk, connection, client, params)
  const session = await desk.sessions.load(channel.session)
  if (!maySee(session, connection.viewer)) throw rpcErrorOf({ code: 'session-not-found' })
  return olderTurns(session, connection, params)
}

function olderTurns(session: Session, { viewer }: Connection, { before, limit = pageTurns }: Params): FetchedTurns {
  if (!(Number.isSafeInteger(limit) && Number(limit) > 0)) throw invalidParams('limit must be a whole number above 0.')
  const { turns } = encodeOlder(session, seenBy(viewer))
  const end = before === undefined ? turns.length : turns.findIndex(({ id }) => id === before)
  if (end < 0) throw invalidParams('before is the id of a turn.')
  const start = Math.max(0, end - Number(limit))
  return { turns: turns.slice(start, end), hasMore: start > 0 }
}

function loadTurns(
  desk: LiveDesk,
  connection: Connection,
  { dialect }: Client,
  { channel, cursor }: Params,
): FetchedTurns {
  const name = String(channel)
  const parsed = parseChannel(name, dialect)
  const session = parsed && 'session' in parsed ? desk.sessions.known(parsed.session) : undefined
  if (!connection.subscriptions.has(name) || session === undefined) throw invalidParams('Subscribe to the chat first.')
  // What is earlier than what a client has, its cursor says; without one there is nothing that is known to be missing.
  if (cursor === undefined) return {}
  const chat = encodeChat(session, seenBy(connection.viewer), dialect)
  const end = chat.turns.findIndex(({ id }) => cursorOf(id) === cursor)
  if (end < 0) throw invalidParams('Unknown cursor. Leave it out to begin at the first page.')
  const page = pageBefore(chat, end, pageTurns)
  tellTurns(connection, name, page, desk.numbers.next())
  return {}
}

/** Tells a client of turns that it does not have. */
export function tellTurns(connection: Connection, channel: string, chat: ChatState, serverSeq: number): void {
  const { turns, turnsNextCursor } = chat
  const action: ChatAction = {
    type: 'chat/turnsLoaded',
    turns,
    ...(turnsNextCursor !== undefined && { turnsNextCursor }),
  }
  connection.tell(encodeAction(encodeEnvelope({ channel, action, serverSeq })), serverSeq)
}

function pageBefore(chat: ChatState, end: number, count: number): ChatState {
  const start = Math.max(0, end - count)
  const first = chat.turns[start]
  return {
    ...chat,
    turns: chat.turns.slice(start, end),
    ...(start > 0 && first && { turnsNextCursor: cursorOf(first.id) }),
  }
}

function cursorOf(turn: string): string {
  return Buffer.from(turn).toString('base64url')
}
