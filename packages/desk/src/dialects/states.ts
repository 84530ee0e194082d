// A session as each dialect of the live protocol shows it.
import {
  type ChatState,
  type ErrorInfo,
  type ErrorPart,
  type InputNeeded,
  type InputRequest,
  type InputRequestPart,
  type ResponsePart,
  SessionStatus,
  type SessionSummary,
} from '@beckon/core/chat'
import { channelsOf, type Dialect, dialectTraits } from '@beckon/core/live'
import type { SessionState } from '@beckon/core/session-0.3'
import type { Ask, EndedTurn, Session, Turn } from '../model/session.js'
import { withShownText } from '../model/shown.js'
import type { SeenAsk } from '../policy/audience.js'

const everything: SeenAsk = ask => ask

/** The session of dialect 0.3. */
export function encodeOlder(session: Session, seen: SeenAsk = everything): SessionState {
  const { id, server, title, createdAt, modifiedAt, turns, activeTurn } = session
  const open = openAsks(session, seen)
  return {
    summary: {
      resource: channelsOf(id).session,
      provider: server,
      title,
      status: statusOf(session, open.length),
      createdAt,
      modifiedAt,
    },
    lifecycle: 'ready',
    turns: turns.map(turn => ({ ...olderTurn(turn), state: turn.state, ...(turn.error && { error: turn.error }) })),
    ...(activeTurn && { activeTurn: olderTurn(activeTurn) }),
    ...(open.length > 0 && { inputRequests: open.map(encodePlain) }),
  }
}

/** The chat, in the dialects that have chats. */
export function encodeChat(session: Session, seen: SeenAsk, dialect: Dialect): ChatState {
  const { turns, activeTurn } = session
  const parts = partsByTurn(session, seen)
  return {
    ...chatEntry(session, seen, dialect),
    turns: turns.map(turn => endedTurn(turn, parts, dialect)),
    ...(activeTurn && { activeTurn: laterTurn(activeTurn, parts) }),
  }
}

function endedTurn(turn: EndedTurn, parts: PartsByTurn, dialect: Dialect): ChatState['turns'][number] {
  const { error, state } = turn
  const ended = { ...laterTurn(turn, parts), duration: durationOf(turn), state }
  if (error === undefined) return ended
  return dialectTraits[dialect].hasErrorParts ? withPart(ended, errorPart(error)) : { ...ended, error }
}

function withPart<T extends { responseParts: ResponsePart[] }>(turn: T, part: ResponsePart): T {
  return { ...turn, responseParts: [...turn.responseParts, part] }
}

/** Why a turn failed, where that is a part of it. */
export function errorPart(error: ErrorInfo): ErrorPart {
  return { kind: 'error', error }
}

/** The session, in the dialects that have chats: it mirrors what its chat waits for. */
export function encodeSummary(session: Session, seen: SeenAsk, dialect: Dialect): SessionSummary {
  const { id, server, title, isMarkedRead, isArchived } = session
  const open = openAsks(session, seen)
  return {
    provider: server,
    title,
    status: ownActivity(session, open.length, seen) | marksOf({ isRead: isMarkedRead, isArchived }),
    lifecycle: 'ready',
    chats: [chatEntry(session, seen, dialect)],
    activeClients: [],
    ...(open.length > 0 && { inputNeeded: open.map(ask => inputNeeded(id, ask)) }),
  }
}

/** The chat as its session lists it. */
export function chatEntry(session: Session, seen: SeenAsk, dialect: Dialect): ListedChat {
  const { id, firstTitle: title } = session
  const open = openAsks(session, seen).length
  return {
    resource: channelsOf(id).chat,
    title,
    status: dialectTraits[dialect].hasChatMarks ? statusOf(session, open) : activityOf(session, open),
    modifiedAt: iso(modifiedIn(session, dialect)),
  }
}

/** When the chat was modified. */
export function modifiedIn({ chatModifiedAt, turnChangedAt }: Session, dialect: Dialect): number {
  return dialectTraits[dialect].hasTurnTimes ? turnChangedAt : chatModifiedAt
}

type ListedChat = Pick<ChatState, 'resource' | 'title' | 'status' | 'modifiedAt'>

export function inputNeeded(session: string, ask: Ask): InputNeeded {
  return { kind: 'chatInput', id: ask.id, chat: channelsOf(session).chat, request: encodePlain(ask) }
}

/** What is asked, in a dialect that knows no blocks. */
function encodePlain(ask: Ask): InputRequest {
  return encodeRequest({ ...ask, request: withShownText(ask.request) })
}

/** What is asked, with the answers so far. */
export function encodeRequest({ request: asked, drafts, policy }: Ask): InputRequest {
  // Who shows it has to know that a click will not do.
  const request =
    policy.person !== 'verified' ? asked : { ...asked, _meta: { ...asked._meta, 'beckon/person': policy.person } }
  return Object.keys(drafts).length > 0 ? { ...request, answers: drafts } : request
}

/** The status of a session as lists show it: that it waits for someone is no secret, what it waits for is. */
export function listedStatus(session: Session): number {
  const { isMarkedRead, isArchived, open } = session
  return activityOf(session, open.size) | marksOf({ isRead: isMarkedRead, isArchived })
}

function durationOf({ startedAt, endedAt }: EndedTurn): number {
  return Math.max(0, endedAt - startedAt)
}

export function iso(at: number): string {
  return new Date(at).toISOString()
}

function statusOf(session: Session, open: number): number {
  return activityOf(session, open) | marksOf(session)
}

function activityOf({ activeTurn, hasFailed }: Session, open: number): number {
  if (activeTurn === undefined) return hasFailed ? SessionStatus.error : SessionStatus.idle
  return open > 0 ? SessionStatus.inputNeeded : SessionStatus.inProgress
}

/**
 * What the session says of itself where there are chats. Nothing tells those who watch it of turns, only that it waits for
 * someone, and then that it goes on: who comes later is shown what they have. What its turns do is in its list of chats.
 */
function ownActivity(session: Session, open: number, seen: SeenAsk): number {
  if (open > 0) return SessionStatus.inputNeeded
  return hasAsked(session, seen) ? SessionStatus.inProgress : SessionStatus.idle
}

/** Whether anything was asked that someone sees, or nobody remembers who does. */
function hasAsked({ asks, open, ended }: Session, seen: SeenAsk): boolean {
  let remembered = 0
  for (const ask of [...open.values(), ...ended]) {
    if (seen(ask) !== undefined) return true
    remembered += 1 + (ask.formers?.length ?? 0)
  }
  return asks > remembered
}

function marksOf({ isRead, isArchived }: Pick<Session, 'isRead' | 'isArchived'>): number {
  return (isRead ? SessionStatus.isRead : 0) | (isArchived ? SessionStatus.isArchived : 0)
}

function openAsks({ open }: Session, seen: SeenAsk): Ask[] {
  const asks: Ask[] = []
  for (const ask of open.values()) {
    const shown = seen(ask)
    if (shown !== undefined && shown.ending === undefined) asks.push(shown)
  }
  return asks.sort((a, b) => a.number - b.number)
}

type PartsByTurn = ReadonlyMap<string, ResponsePart[]>

function partsByTurn({ open, ended }: Session, seen: SeenAsk): PartsByTurn {
  const parts = new Map<string, ResponsePart[]>()
  const asks = [...ended, ...open.values()].flatMap(ask => seen(ask) ?? [])
  for (const shown of asks.sort((a, b) => a.number - b.number)) {
    const { response } = shown.ending ?? {}
    const part: InputRequestPart = {
      kind: 'inputRequest',
      request: encodePlain(shown),
      ...(response && { response }),
    }
    const list = parts.get(shown.turn)
    if (list === undefined) parts.set(shown.turn, [part])
    else list.push(part)
  }
  return parts
}

function olderTurn({ id, message }: Turn): { id: string; message: Turn['message']; responseParts: [] } {
  return { id, message, responseParts: [] }
}

function laterTurn(
  { id, message, startedAt }: Turn,
  parts: PartsByTurn,
): { id: string; startedAt: string; message: Turn['message']; responseParts: ResponsePart[] } {
  return { id, startedAt: iso(startedAt), message, responseParts: parts.get(id) ?? [] }
}
