// What people do on a desk, checked: the shape and the state by the protocol's own rules, then who they are. Someone
// who may not see an ask gets the same answer as for one that is not there.
import { checkAction as checkLater } from '@beckon/core/chat'
import { checkAction as checkOlder } from '@beckon/core/session-0.3'
import type { Act, Actor, Line } from '../log/act.js'
import type { Decision, Order, Settled } from '../log/order.js'
import type { DeskState } from '../state/desk-state.js'
import { policyOf, type SessionRecord } from '../state/session-record.js'
import type { Approvals } from './approvals.js'
import type { Audit, AuditEntry, AuditEvent } from './audit.js'
import { dispose } from './dispose.js'
import { completed, durationOf, ended, started } from './lines.js'
import { mayAnswer, type Person } from './policy.js'
import { seenBy } from './visibility.js'

/** The two ways in which the live protocol writes the same state. */
export type Dialect = 'older' | 'later'

/** A person on one of their devices. */
export interface Visitor extends Person {
  readonly device: string
}

/** An action as a client sent it, on a channel of a session. */
export interface ClientAction {
  readonly session: string
  readonly on: 'session' | 'chat'
  readonly dialect: Dialect
  /** Whatever the client sent. */
  readonly action: unknown
  readonly origin?: { readonly clientId: string; readonly clientSeq: number }
}

export interface GateOptions {
  readonly order: Order
  readonly audit: Audit
  readonly approvals: Approvals
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

type Fields = Readonly<Record<string, unknown>>

const longestReason = 2_000

export class Gate {
  readonly #options: GateOptions

  constructor(options: GateOptions) {
    this.#options = options
  }

  /** Takes an action of a client, or says why not. */
  async dispatch(visitor: Visitor, client: ClientAction): Promise<Settled> {
    const recorded = await this.#recordApproval(visitor, client)
    const settled = recorded ?? (await this.#options.order.change(state => this.#decide(state, visitor, client)))
    // What was accepted is accepted: its sender must not be told otherwise.
    await this.#options.audit.record(this.#auditOf(visitor, client, settled)).catch(this.#options.onError)
    return settled
  }

  createSession(
    visitor: Visitor,
    id: string,
    { title = id, server = 'desk' }: { title?: string; server?: string } = {},
  ): Promise<Settled> {
    return this.#options.order.change(state => {
      if (state.session(id) !== undefined) return { refused: 'There is a session of this name already.' }
      return { lines: [{ session: id, act: { type: 'sessionCreated', title, server }, ...this.#stamp(visitor) }] }
    })
  }

  disposeSession(visitor: Visitor, id: string): Promise<Settled> {
    return dispose(this.#options.order, id, () => this.#stamp(visitor))
  }

  /** Someone looks at a session. */
  async viewed(visitor: Visitor, session: string): Promise<void> {
    await this.#options.audit.record({ event: 'viewed', at: this.#options.now(), session, by: actorOf(visitor) })
  }

  #decide(state: DeskState, visitor: Visitor, client: ClientAction): Decision {
    const record = state.session(client.session)
    if (record === undefined) return { refused: 'There is no such session.' }
    const refused = this.#refusal(record, visitor, client)
    if (refused !== undefined) return { refused }
    // The check has seen that it is an action that clients may send, with its fields as they should be.
    const action = client.action as Fields
    const stamp = { ...this.#stamp(visitor), ...(client.origin && { origin: client.origin }) }
    return { lines: linesFor(record, action, stamp) }
  }

  #refusal(record: SessionRecord, visitor: Visitor, { dialect, on, action }: ClientAction): string | undefined {
    // An action is about one ask, or about none: where they may see that one, the others do not matter.
    const about = policyOf(record, requestIn(action) ?? '')
    const seen = about === undefined || mayAnswer(about, visitor) ? record : seenBy(record, visitor)
    const reason =
      dialect === 'older'
        ? on === 'session'
          ? checkOlder(seen.older, action)
          : 'There is no such channel.'
        : checkLater(on === 'chat' ? seen.chat : seen.summary, action)
    if (reason !== undefined) return reason
    return about !== undefined && this.#options.now() >= about.expiresAt
      ? 'The time to answer this is over.'
      : undefined
  }

  /** An accept that is one of several: it is remembered, and completes nothing until there are enough. */
  async #recordApproval(visitor: Visitor, client: ClientAction): Promise<Settled | undefined> {
    const { order, approvals } = this.#options
    const record = order.state.session(client.session)
    const request = requestIn(client.action)
    const policy = request === undefined || record === undefined ? undefined : policyOf(record, request)
    if (record === undefined || request === undefined || policy === undefined || (policy.quorum ?? 1) <= 1)
      return undefined
    if (!typeOf(client.action).endsWith('/inputCompleted') || this.#refusal(record, visitor, client) !== undefined)
      return undefined
    const { response } = client.action as Fields
    const told = (reason: string): Settled => ({ kind: 'refused', reason, seq: order.seq })
    if (response !== 'accept') return policy.outlastsDecline ? told('recorded') : undefined
    const count = await approvals.add(request, visitor.principal, policy.expiresAt)
    return count < (policy.quorum ?? 1) ? told(`recorded, ${count} of ${policy.quorum}`) : undefined
  }

  #auditOf(visitor: Visitor, { session, action }: ClientAction, settled: Settled): AuditEntry {
    const request = requestIn(action)
    const question = textIn(action, 'questionId')
    const isRefused = settled.kind === 'refused'
    return {
      event: isRefused ? (settled.reason.startsWith('recorded') ? 'recorded' : 'rejected') : eventOf(action),
      at: this.#options.now(),
      session,
      ...(request !== undefined && { request }),
      ...(question !== undefined && { question }),
      by: actorOf(visitor),
      ...(isRefused && { reason: settled.reason }),
    }
  }

  #stamp(visitor: Visitor): { at: number; by: Actor } {
    return { at: this.#options.now(), by: actorOf(visitor) }
  }
}

/** The lines for a client's action that has been checked. Only the fields that are known go in. */
function linesFor(record: SessionRecord, action: Fields, stamp: Omit<Line, 'session' | 'act'>): Line[] {
  const type = typeOf(action).replace(/^\w+\//, '')
  switch (type) {
    case 'inputCompleted': {
      const { requestId, response, answers, reason } = action
      const words = typeof reason === 'string' ? { reason: reason.slice(0, longestReason) } : {}
      const act = { type, requestId, response, ...(answers !== undefined && { answers }), ...words }
      return completed(record.id, act as Extract<Act, { type: 'inputCompleted' }>, stamp)
    }
    case 'inputAnswerChanged': {
      const { requestId, questionId, answer } = action
      return [
        {
          session: record.id,
          act: { type, requestId, questionId, ...(answer !== undefined && { answer }) } as Act,
          ...stamp,
        },
      ]
    }
    case 'turnStarted': {
      const { turnId, message, queuedMessageId } = action
      const startedAt = new Date(stamp.at).toISOString()
      const queued = queuedMessageId === undefined ? {} : { queuedMessageId }
      return started(record, { type, turnId, message, startedAt, ...queued } as Act, stamp)
    }
    case 'turnCancelled':
      return ended(record, { type, turnId: String(action.turnId), duration: durationOf(record, stamp.at) }, stamp)
    case 'truncated':
      return ended(record, { type, ...(action.turnId !== undefined && { turnId: String(action.turnId) }) }, stamp)
    default: {
      const { title, isRead, isArchived } = action
      const marks = {
        ...(title !== undefined && { title }),
        ...(isRead !== undefined && { isRead }),
        ...(isArchived !== undefined && { isArchived }),
      }
      // The check has let only the title and the two marks through.
      return [{ session: record.id, act: { type, ...marks } as unknown as Act, ...stamp }]
    }
  }
}

function eventOf(action: unknown): AuditEvent {
  if (typeOf(action).endsWith('/inputAnswerChanged')) return 'drafted'
  const response = textIn(action, 'response')
  return response === 'accept'
    ? 'accepted'
    : response === 'decline'
      ? 'declined'
      : response === 'cancel'
        ? 'dismissed'
        : 'viewed'
}

function actorOf({ principal, device }: Visitor): Actor {
  return { principal, device }
}

function requestIn(action: unknown): string | undefined {
  return textIn(action, 'requestId')
}

function typeOf(action: unknown): string {
  return textIn(action, 'type') ?? ''
}

function textIn(action: unknown, key: string): string | undefined {
  if (typeof action !== 'object' || action === null) return undefined
  const value = (action as Fields)[key]
  return typeof value === 'string' ? value : undefined
}
