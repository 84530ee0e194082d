import {
  type ChatState,
  type InputNeeded,
  type InputRequest,
  type InputRequestPart,
  reduceChat,
  reduceSessionSummary,
  type SessionSummary,
} from '@beckon/core/chat'
import { reduceSession, type SessionState } from '@beckon/core/session-0.3'
import type { Policy } from '../asks/policy.js'
import { type Accepted, type Act, type Actor, requestOf } from '../log/act.js'
import { Apart } from './apart.js'
import { chatAction, olderAction, summaryAction } from './dialects.js'
import { neededList, partList, requestList } from './lists.js'
import type { Ending, Head, SavedSession, SessionStates } from './session-states.js'

/** Asks in one `SavedSession`. */
const savedAsks = 20

/** A session and its asks, in both dialects, and what holds for the asks. Changed in place: there may be many of them. */
export class SessionRecord implements SessionStates {
  readonly id: string
  readonly server: string
  readonly isCall: boolean
  /** What holds for each request that the session had, by id. */
  readonly policies: Map<string, Policy> = new Map()
  /** When each request was first put, in milliseconds, by id. */
  readonly askedAt: Map<string, number> = new Map()
  /** How each request ended, by id. */
  readonly endings: Map<string, Ending> = new Map()
  readonly #older: Apart<SessionState, InputRequest>
  readonly #chat: Apart<ChatState, InputRequestPart>
  readonly #summary: Apart<SessionSummary, InputNeeded>
  #title: string

  constructor({ id, title, server, isCall = undefined, older, chat, summary }: Head & SessionStates) {
    this.id = id
    this.server = server
    this.isCall = isCall === true
    this.#title = title
    this.#older = new Apart(older, requestList)
    this.#chat = new Apart(chat, partList)
    this.#summary = new Apart(summary, neededList)
  }

  get title(): string {
    return this.#title
  }

  /** The session in dialect 0.3, whole: like the two that follow, it costs as much as there are asks. */
  get older(): SessionState {
    return this.#older.whole
  }

  get chat(): ChatState {
    return this.#chat.whole
  }

  get summary(): SessionSummary {
    return this.#summary.whole
  }

  /** The session without any ask. */
  get bare(): SessionStates {
    return { older: this.#older.rest, chat: this.#chat.rest, summary: this.#summary.rest }
  }

  /** The session with one ask alone. */
  about(requestId: string): SessionStates {
    return {
      older: this.#older.about(requestId),
      chat: this.#chat.about(requestId),
      summary: this.#summary.about(requestId),
    }
  }

  /** The open requests, in the order they were put. */
  get openRequests(): readonly InputRequest[] {
    return this.#older.items
  }

  get openCount(): number {
    return this.#older.openCount
  }

  openRequest(id: string): InputRequest | undefined {
    return this.#older.find(id)
  }

  /** How much there is to write in a snapshot. */
  get weight(): number {
    return 1 + this.#chat.size / savedAsks
  }

  apply({ act, at, by }: Accepted): void {
    if (act.type === 'inputRequested') {
      this.policies.set(act.request.id, act.policy)
      if (!this.askedAt.has(act.request.id)) this.askedAt.set(act.request.id, at)
    }
    if (act.type === 'audienceChanged') this.policies.set(act.requestId, act.policy)
    if (act.type === 'inputCompleted') this.endings.set(act.requestId, { ...this.#endingOf(act, by), at })
    if (act.type === 'titleChanged') this.#title = act.title
    const older = olderAction(act)
    const chat = chatAction(act)
    const summary = summaryAction(act)
    const about = ofTurns.has(act.type) ? everything : requestOf(act)
    if (older) change(this.#older, about, state => reduceSession(state, older, at))
    if (chat) change(this.#chat, about, state => reduceChat(state, chat, at))
    if (summary) change(this.#summary, about, state => reduceSessionSummary(state, summary, at))
  }

  save(): SavedSession[] {
    const { id, server, title, isCall, bare } = this
    const [requests, parts, needed] = [this.#older.items, this.#chat.items, this.#summary.items]
    const [policies, askedAt, endings] = [[...this.policies], [...this.askedAt], [...this.endings]]
    const saved: SavedSession[] = []
    const most = Math.max(requests.length, parts.length, needed.length, policies.length, endings.length)
    for (let from = 0; from === 0 || from < most; from += savedAsks) {
      const next = <T>(items: readonly T[]) => items.slice(from, from + savedAsks)
      saved.push({
        id,
        ...(from === 0 && { head: { id, server, title, ...(isCall && { isCall }), ...bare } }),
        requests: next(requests),
        parts: next(parts),
        needed: next(needed),
        policies: next(policies),
        askedAt: next(askedAt),
        endings: next(endings),
      })
    }
    return saved
  }

  /** Takes asks that were saved. */
  load({ requests, parts, needed, policies, askedAt, endings }: SavedSession): void {
    this.#older.add(requests)
    this.#chat.add(parts)
    this.#summary.add(needed)
    for (const [id, policy] of policies) this.policies.set(id, policy)
    for (const [id, at] of askedAt) this.askedAt.set(id, at)
    for (const [id, ending] of endings) this.endings.set(id, ending)
  }

  #endingOf(
    { requestId, response, answers, reason }: Extract<Act, { type: 'inputCompleted' }>,
    by?: Actor,
  ): Omit<Ending, 'at'> {
    return {
      response,
      answers: { ...this.openRequest(requestId)?.answers, ...answers },
      ...(by && { by: by.principal }),
      ...(reason !== undefined && { reason }),
    }
  }
}

const everything = Symbol('everything')

function change<State, Item>(
  apart: Apart<State, Item>,
  about: string | undefined | typeof everything,
  reduce: (state: State) => State,
): void {
  if (about === everything) apart.change(reduce)
  else apart.changeOne(about, reduce)
}

/** What begins or ends a turn happens to every ask. */
const ofTurns: ReadonlySet<Act['type']> = new Set([
  'turnStarted',
  'turnComplete',
  'turnCancelled',
  'error',
  'truncated',
])
