import type { Answer, Response } from '@beckon/core'
import type { ChatAction, ChatState, InputRequest, SessionSummary, SessionSummaryAction } from '@beckon/core/chat'
import { reduceChat, reduceSessionSummary } from '@beckon/core/chat'
import { reduceSession, type SessionAction, type SessionState } from '@beckon/core/session-0.3'
import type { Policy } from '../asks/policy.js'
import type { Accepted, Act, Actor } from '../log/act.js'

/** The channels of a session in the live protocol. */
export interface Channels {
  /** Of the session itself, in both dialects. */
  readonly session: string
  /** Of its chat, in the later dialect. */
  readonly chat: string
}

export function channelsOf(id: string): Channels {
  return { session: `ahp-session:/${id}`, chat: `ahp-chat:/${id}` }
}

/** A session as each dialect shows it, and what holds for its open asks. */
export interface SessionRecord {
  readonly id: string
  readonly title: string
  /** Who asks: the name of the server whose tools these are. */
  readonly server: string
  /** Whether it is there for one call of a server, and may be forgotten once that is over. */
  readonly isCall?: true
  readonly older: SessionState
  readonly chat: ChatState
  readonly summary: SessionSummary
  /** By request id, of every request that the session had. */
  readonly policies: Readonly<Record<string, Policy>>
  /** When each request was first put, in milliseconds, by id. */
  readonly askedAt: Readonly<Record<string, number>>
  /** How each request ended, by id. */
  readonly endings: Readonly<Record<string, Ending>>
}

/** How a request ended, and who ended it. */
export interface Ending {
  readonly response: Response
  readonly answers: Readonly<Record<string, Answer>>
  readonly by?: string
  readonly reason?: string
  /** Milliseconds. */
  readonly at: number
}

export function createRecord(
  id: string,
  { title, server, isCall }: { title: string; server: string; isCall?: true },
  at: number,
): SessionRecord {
  const { session, chat } = channelsOf(id)
  const modifiedAt = new Date(at).toISOString()
  return {
    id,
    title,
    server,
    ...(isCall && { isCall }),
    older: {
      summary: { resource: session, provider: server, title, status: 1, createdAt: at, modifiedAt: at },
      lifecycle: 'ready',
      turns: [],
    },
    chat: { resource: chat, title, status: 1, modifiedAt, turns: [] },
    summary: {
      provider: server,
      title,
      status: 1,
      lifecycle: 'ready',
      chats: [{ resource: chat, title, status: 1, modifiedAt }],
      activeClients: [],
    },
    policies: {},
    askedAt: {},
    endings: {},
  }
}

/**
 * The session after something happened to it. What is kept by request id is added to in place: those tables grow with every
 * ask, and to copy them each time would make a session with many asks slow. The record that was there before shares them.
 */
export function reduceRecord(record: SessionRecord, { act, at, by }: Accepted): SessionRecord {
  const older = olderAction(act)
  const chat = chatAction(act)
  const summary = summaryAction(act)
  if (act.type === 'inputRequested') {
    put(record.policies, act.request.id, act.policy)
    if (!Object.hasOwn(record.askedAt, act.request.id)) put(record.askedAt, act.request.id, at)
  }
  if (act.type === 'inputCompleted') put(record.endings, act.requestId, { ...endingOf(record, act, by), at })
  return {
    ...record,
    ...(older && { older: reduceSession(record.older, older, at) }),
    ...(chat && { chat: reduceChat(record.chat, chat, at) }),
    ...(summary && { summary: reduceSessionSummary(record.summary, summary, at) }),
    ...(act.type === 'titleChanged' && { title: act.title }),
  }
}

/** Whatever the key is: a request may be called `__proto__`. */
function put<T>(table: Readonly<Record<string, T>>, key: string, value: T): void {
  Object.defineProperty(table, key, { value, enumerable: true, writable: true, configurable: true })
}

/** What holds for a request of a session. */
export function policyOf({ policies }: SessionRecord, requestId: string): Policy | undefined {
  return Object.hasOwn(policies, requestId) ? policies[requestId] : undefined
}

function endingOf(
  record: SessionRecord,
  { requestId, response, answers, reason }: Extract<Act, { type: 'inputCompleted' }>,
  by?: Actor,
): Omit<Ending, 'at'> {
  const drafts = openRequests(record).find(({ id }) => id === requestId)?.answers
  return {
    response,
    answers: { ...drafts, ...answers },
    ...(by && { by: by.principal }),
    ...(reason !== undefined && { reason }),
  }
}

/** The open requests of a session, in the order they were put. */
export function openRequests({ older }: SessionRecord): readonly InputRequest[] {
  return older.inputRequests ?? []
}

/** An act on the session's channel of dialect 0.3. */
export function olderAction(act: Act): SessionAction | undefined {
  switch (act.type) {
    case 'sessionCreated':
    case 'sessionDisposed':
    case 'inputNeededSet':
    case 'inputNeededRemoved':
    case 'chatUpdated':
      return undefined
    case 'turnStarted': {
      const { startedAt: _, ...rest } = act
      return { ...rest, type: 'session/turnStarted' }
    }
    case 'turnComplete':
    case 'turnCancelled':
      return { type: `session/${act.type}`, turnId: act.turnId }
    case 'error':
      return { type: 'session/error', turnId: act.turnId, error: act.error }
    case 'inputRequested':
      return { type: 'session/inputRequested', request: act.request }
    case 'inputCompleted': {
      const { reason: _, gone: __, ...rest } = act
      return { ...rest, type: 'session/inputCompleted' }
    }
    default:
      // The type is the only thing that differs between the dialects.
      return { ...act, type: `session/${act.type}` } as SessionAction
  }
}

/** An act on the chat's channel of the later dialect. */
export function chatAction(act: Act): ChatAction | undefined {
  switch (act.type) {
    case 'sessionCreated':
    case 'sessionDisposed':
    case 'titleChanged':
    case 'inputNeededSet':
    case 'inputNeededRemoved':
    case 'chatUpdated':
      return undefined
    case 'inputRequested':
      return { type: 'chat/inputRequested', request: act.request }
    case 'inputCompleted': {
      const { reason: _, gone: __, ...rest } = act
      return { ...rest, type: 'chat/inputCompleted' }
    }
    default:
      return { ...act, type: `chat/${act.type}` } as ChatAction
  }
}

/** An act on the session's channel of the later dialect. */
export function summaryAction(act: Act): SessionSummaryAction | undefined {
  switch (act.type) {
    case 'titleChanged':
    case 'isReadChanged':
    case 'isArchivedChanged':
    case 'inputNeededSet':
    case 'inputNeededRemoved':
    case 'chatUpdated':
      return { ...act, type: `session/${act.type}` } as SessionSummaryAction
    default:
      return undefined
  }
}
