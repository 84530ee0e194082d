import { randomUUID } from 'node:crypto'
import {
  AnswerInvalidError,
  type AnswerOf,
  type AskSchema,
  askAgain,
  type Content,
  contentOf,
  type Issue,
  parseAnswer,
} from '@beckon/core'
import type { InputRequest } from '@beckon/core/chat'
import type { Order } from '../log/order.js'
import type { SessionRecord } from '../state/session-record.js'
import type { Ending } from '../state/session-states.js'
import type { Audit } from './audit.js'
import type { Insistence } from './insistence.js'
import { asked, completed, durationOf, ended, started } from './lines.js'
import type { Audience, Policy } from './policy.js'
import { RefusedError } from './refusals.js'
import {
  type AskRequest,
  type ConfirmRequest,
  type FormRequest,
  formOfRequest,
  formRequest,
  inputRequest,
  type LiveRequest,
} from './request.js'
import { recordWithdrawn } from './withdrawn.js'

/** Who may answer, until when, and what happens when nobody does. */
export interface AskOptions {
  readonly audience?: Audience
  /** How many different people have to accept. For confirms. */
  readonly quorum?: number
  /** A decline does not end a quorum. */
  readonly outlastsDecline?: boolean
  /** Default: 24 hours. */
  readonly timeoutMs?: number
  /** When to remind, after the ask was put. */
  readonly remindAfterMs?: readonly number[]
  /** Whom to ask instead, and when. */
  readonly escalation?: { readonly afterMs: number; readonly audience: Audience }
  /** Whose own authorization this is about: nobody else is ever asked. */
  readonly owner?: string
  /** Withdraws the ask. */
  readonly signal?: AbortSignal
}

/** What came back, and from whom. A withdrawn, abandoned or expired ask is cancelled by nobody. */
export type AskOutcome<T = Content> =
  | { readonly action: 'accept'; readonly content: T; readonly by?: string }
  | { readonly action: 'decline'; readonly reason?: string; readonly by?: string }
  | { readonly action: 'cancel'; readonly isExpired?: boolean; readonly by?: string }

/** One turn of a session: the time in which its asks can be answered. */
export interface Turn {
  readonly id: string
  ask(request: ConfirmRequest | LiveRequest, options?: AskOptions): Promise<AskOutcome>
  ask<const S extends AskSchema>(request: FormRequest<S>, options?: AskOptions): Promise<AskOutcome<AnswerOf<S>>>
  /** Ends the turn. Asks that are open are abandoned. */
  complete(): Promise<void>
  cancel(): Promise<void>
  fail(error: Error): Promise<void>
}

export interface TurnOptions {
  readonly order: Order
  readonly audit: Audit
  readonly insistence: Insistence
  readonly now: () => number
  /** Told what cannot be recorded: what was done is done. */
  readonly onError: (error: unknown) => void
  readonly session: string
}

const dayMs = 24 * 60 * 60 * 1000
const defaultAttempts = 3
/** Says that an ask was ended by its time, in the log. */
export const expiredReason = 'expired'

export class DeskTurn implements Turn {
  readonly id: string
  readonly #options: TurnOptions

  constructor(options: TurnOptions, id: string = randomUUID()) {
    this.#options = options
    this.id = id
  }

  async start(text: string): Promise<this> {
    const { order, session, now } = this.#options
    const settled = await order.change(state => {
      const record = state.session(session)
      if (record === undefined) return { refused: { code: 'session-not-found', reason: 'the session is gone' } }
      if (record.bare.chat.activeTurn !== undefined)
        return { refused: { code: 'turn-in-progress', reason: 'a turn is going on' } }
      const startedAt = new Date(now()).toISOString()
      const message = { text, origin: { kind: 'tool' } }
      return { lines: started(record, { type: 'turnStarted', turnId: this.id, message, startedAt }, { at: now() }) }
    })
    if (settled.kind === 'refused') throw new RefusedError(`The turn cannot start: ${settled.reason}.`)
    return this
  }

  async ask(request: AskRequest, options: AskOptions = {}): Promise<AskOutcome<never>> {
    if (!('schema' in request) || request.schema === undefined) {
      // Without a schema the content is as the questions have it; the overloads say so.
      return (await this.#put(inputRequest(request), options)) as AskOutcome<never>
    }
    const { schema, jsonSchema, allow, attempts = defaultAttempts, question } = request as FormRequest
    if (!(attempts >= 1))
      throw new RangeError(`attempts is how often a person is asked: 1 or more, and not ${attempts}.`)
    let issues: Issue[] = []
    const first = { question, form: formOfRequest(request as FormRequest) }
    let next = first
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const outcome = await this.#put(formRequest(next), options)
      if (outcome.action !== 'accept') return outcome
      const parsed = await parseAnswer(schema, outcome.content, jsonSchema)
      if (parsed.issues === undefined) return { ...outcome, content: parsed.value as never }
      issues = parsed.issues
      next = askAgain(first, { content: outcome.content, issues, allow })
    }
    throw new AnswerInvalidError(issues)
  }

  complete(): Promise<void> {
    return this.#end(duration => ({ type: 'turnComplete', turnId: this.id, duration }))
  }

  cancel(): Promise<void> {
    return this.#end(duration => ({ type: 'turnCancelled', turnId: this.id, duration }))
  }

  fail({ name, message }: Error): Promise<void> {
    return this.#end(duration => ({ type: 'error', turnId: this.id, duration, error: { errorType: name, message } }))
  }

  /** Puts a request, unless it is there already, and waits for its end. */
  async #put(request: InputRequest, options: AskOptions): Promise<AskOutcome> {
    const { order, audit, session, now, onError } = this.#options
    const policy = policyFrom(options, now())
    const settled = await order.change(state => {
      const record = state.session(session)
      if (record?.bare.chat.activeTurn?.id !== this.id)
        return { refused: { code: 'turn-not-active', reason: 'the turn has ended' } }
      const isThere = record.openRequest(request.id) !== undefined || record.endings.has(request.id)
      return { lines: isThere ? [] : asked(session, request, policy, { at: now() }) }
    })
    if (settled.kind === 'refused') throw new RefusedError(`The ask cannot be put: ${settled.reason}.`)
    if (settled.lines.length > 0)
      await audit.record({ event: 'asked', at: now(), session, request: request.id }).catch(onError)
    const withdraw = () => this.#options.insistence.until(() => this.#withdraw(request.id))
    if (options.signal?.aborted) withdraw()
    options.signal?.addEventListener('abort', withdraw, { once: true })
    try {
      return await this.#ending(request)
    } finally {
      options.signal?.removeEventListener('abort', withdraw)
    }
  }

  /** Resolves when a request that was put has ended, or its turn or session has. */
  #ending(request: InputRequest): Promise<AskOutcome> {
    const { order, session } = this.#options
    return new Promise(resolve => {
      const look = (): boolean => {
        const record = order.state.session(session)
        const ending = record?.endings.get(request.id)
        if (ending === undefined && record?.bare.chat.activeTurn?.id === this.id) return false
        resolve(ending === undefined ? { action: 'cancel' } : outcomeOf(request, ending))
        return true
      }
      if (look()) return
      const stop = order.watch(session, request.id, () => {
        if (look()) stop()
      })
    })
  }

  async #withdraw(requestId: string): Promise<void> {
    const { order, audit, session, now, onError } = this.#options
    const settled = await order.change(state => withdrawal(state.session(session), requestId, now()))
    if (settled.kind === 'accepted' && settled.lines.length > 0) {
      await audit.record({ event: 'withdrawn', at: now(), session, request: requestId }).catch(onError)
    }
  }

  async #end(act: (duration: number) => Parameters<typeof ended>[1]): Promise<void> {
    const { order, audit, session, now, onError } = this.#options
    const settled = await order.change(state => {
      const record = state.session(session)
      if (record?.bare.chat.activeTurn?.id !== this.id) return { lines: [] }
      return { lines: ended(record, act(durationOf(record, now())), { at: now() }) }
    })
    await recordWithdrawn(audit, settled).catch(onError)
  }
}

/** Ends an open ask on behalf of the desk. */
export function withdrawal(
  record: SessionRecord | undefined,
  requestId: string,
  at: number,
  reason?: string,
): { lines: ReturnType<typeof completed> } {
  if (record?.openRequest(requestId) === undefined) return { lines: [] }
  const act = {
    type: 'inputCompleted',
    requestId,
    response: 'cancel',
    ...(reason !== undefined && { reason }),
  } as const
  return { lines: completed(record.id, act, { at }) }
}

function outcomeOf({ questions = [] }: InputRequest, { response, answers, by, reason }: Ending): AskOutcome {
  const who = by === undefined ? {} : { by }
  switch (response) {
    case 'accept':
      return { action: 'accept', content: contentOf(questions, answers), ...who }
    case 'decline':
      return { action: 'decline', ...(reason !== undefined && { reason }), ...who }
    default:
      return { action: 'cancel', ...(reason === expiredReason && by === undefined && { isExpired: true }), ...who }
  }
}

function policyFrom(options: AskOptions, now: number): Policy {
  const { audience, quorum, outlastsDecline, timeoutMs = dayMs, remindAfterMs, escalation, owner } = options
  return {
    expiresAt: now + timeoutMs,
    ...(audience && { audience }),
    ...(quorum !== undefined && { quorum }),
    ...(outlastsDecline && { outlastsDecline }),
    ...(remindAfterMs && { remindAt: remindAfterMs.map(after => now + after) }),
    // Nobody answers for someone else about who they are.
    ...(escalation &&
      owner === undefined && { escalation: { at: now + escalation.afterMs, audience: escalation.audience } }),
    ...(owner !== undefined && { owner }),
  }
}
