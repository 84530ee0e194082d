// What people do on a desk, checked: the shape and the state by the protocol's own rules, then who they are. Someone
// who may not see an ask gets the same answer as for one that is not there.
import { checkAction as checkLater } from '@beckon/core/chat'
import { checkAction as checkOlder } from '@beckon/core/session-0.3'
import type { Act, Actor, Line } from '../log/act.js'
import type { Decision, Order, Settled } from '../log/order.js'
import type { DeskState } from '../state/desk-state.js'
import type { SessionRecord } from '../state/session-record.js'
import type { Approvals } from './approvals.js'
import type { Audit, AuditEntry, AuditEvent } from './audit.js'
import { dispose } from './dispose.js'
import { completed, durationOf, ended, started } from './lines.js'
import { lastSeenBy, mayAnswer, type Person } from './policy.js'
import { askEnded, expired, type Refusal, refusalOf, sessionExists, sessionNotFound } from './refusals.js'
import { recordWithdrawn } from './withdrawn.js'

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
    await this.#record(visitor, client, settled).catch(this.#options.onError)
    return settled
  }

  createSession(
    visitor: Visitor,
    id: string,
    { title = id, server = 'desk' }: { title?: string; server?: string } = {},
  ): Promise<Settled> {
    return this.#options.order.change(state => {
      if (state.session(id) !== undefined) return { refused: sessionExists }
      return { lines: [{ session: id, act: { type: 'sessionCreated', title, server }, ...this.#stamp(visitor) }] }
    })
  }

  disposeSession(visitor: Visitor, id: string): Promise<Settled> {
    return dispose(this.#options, id, () => this.#stamp(visitor))
  }

  /** Someone looks at a session. */
  async viewed(visitor: Visitor, session: string): Promise<void> {
    await this.#options.audit.record({ event: 'viewed', at: this.#options.now(), session, by: actorOf(visitor) })
  }

  #decide(state: DeskState, visitor: Visitor, client: ClientAction): Decision {
    const record = state.session(client.session)
    if (record === undefined) return { refused: sessionNotFound }
    const refused = this.#refusal(record, visitor, client)
    if (refused !== undefined) return { refused }
    // The check has seen that it is an action that clients may send, with its fields as they should be.
    const action = client.action as Fields
    const stamp = { ...this.#stamp(visitor), ...(client.origin && { origin: client.origin }) }
    return { lines: linesFor(record, action, stamp) }
  }

  #refusal(record: SessionRecord, visitor: Visitor, { dialect, on, action }: ClientAction): Refusal | undefined {
    // An action is about one ask, or about none: where they may see that one, the others do not matter.
    const request = requestIn(action) ?? ''
    const about = record.policies.get(request)
    const seen = about === undefined || mayAnswer(about, visitor) ? record.about(request) : record.bare
    const reason =
      dialect === 'older'
        ? checkOlder(seen.older, action)
        : checkLater(on === 'chat' ? seen.chat : seen.summary, action)
    if (reason === undefined) return about !== undefined && this.#options.now() >= about.expiresAt ? expired : undefined
    const refusal = refusalOf(typeOf(action), reason)
    const hasSeen = about !== undefined && (mayAnswer(about, visitor) || lastSeenBy(about, visitor) !== undefined)
    return refusal.code === 'ask-not-found' && hasSeen ? askEnded : refusal
  }

  /** One of several that are needed: it is remembered, and completes nothing until enough have accepted. */
  async #recordApproval(visitor: Visitor, client: ClientAction): Promise<Settled | undefined> {
    const { order, approvals } = this.#options
    const record = order.state.session(client.session)
    const request = requestIn(client.action)
    const policy = request === undefined || record === undefined ? undefined : record.policies.get(request)
    if (record === undefined || request === undefined || policy === undefined || (policy.quorum ?? 1) <= 1)
      return undefined
    if (!typeOf(client.action).endsWith('/inputCompleted') || this.#refusal(record, visitor, client) !== undefined)
      return undefined
    const { response } = client.action as Fields
    const isAccept = response === 'accept'
    if (!isAccept && !policy.outlastsDecline) return undefined
    const ask = { session: record.id, request, expiresAt: policy.expiresAt }
    const count = await (isAccept ? approvals.add(ask, visitor.principal) : approvals.remove(ask, visitor.principal))
    if (isAccept && count >= (policy.quorum ?? 1)) return undefined
    return { kind: 'refused', code: 'recorded', reason: `recorded, ${count} of ${policy.quorum}`, seq: order.seq }
  }

  async #record(visitor: Visitor, client: ClientAction, settled: Settled): Promise<void> {
    await this.#options.audit.record(this.#auditOf(visitor, client, settled))
    await recordWithdrawn(this.#options.audit, settled, actorOf(visitor))
  }

  #auditOf(visitor: Visitor, { session, action }: ClientAction, settled: Settled): AuditEntry {
    const request = requestIn(action)
    const question = textIn(action, 'questionId')
    const isRefused = settled.kind === 'refused'
    const isRecorded = isRefused && settled.code === 'recorded'
    return {
      event: isRecorded ? 'recorded' : isRefused ? 'rejected' : eventOf(action),
      at: this.#options.now(),
      session,
      ...(request !== undefined && { request }),
      ...(question !== undefined && { question }),
      by: actorOf(visitor),
      ...(isRefused && { reason: isRecorded ? `${eventOf(action)}: ${settled.reason}` : settled.reason }),
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

const events: Readonly<Record<string, AuditEvent>> = {
  inputAnswerChanged: 'drafted',
  turnStarted: 'started',
  turnCancelled: 'cancelled',
  truncated: 'truncated',
  accept: 'accepted',
  decline: 'declined',
  cancel: 'dismissed',
}

/** What an action that was accepted comes to in the audit. */
function eventOf(action: unknown): AuditEvent {
  const type = typeOf(action).replace(/^\w+\//, '')
  return events[type === 'inputCompleted' ? (textIn(action, 'response') ?? '') : type] ?? 'changed'
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
