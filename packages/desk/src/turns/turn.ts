import { randomUUID } from 'node:crypto'
import { type AnsweredBy, type AnswerOf, type AskSchema, askUntilValid, type Content, contentOf } from '@beckon/core'
import type { InputRequest } from '@beckon/core/chat'
import type { DeskOutcome, DeskPolicy } from 'beckon/desk/adapter'
import type { AskLimits } from '../limits/ask-limits.js'
import type { OpenQuota } from '../limits/open-quota.js'
import type { EventOf } from '../model/events.js'
import type { Policy } from '../model/policy.js'
import { findAsk } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'
import { type Absences, withStandIns } from '../people/absences.js'
import { RefusedError } from '../policy/refusals.js'
import type { DeskRules } from '../rules/desk-rules.js'
import type { Sessions, Settled } from '../sessions/sessions.js'
import type { Waiters } from '../sessions/waiters.js'
import { awaitAsk, digestOfAsk, endTurn, openAsk, startTurn, withdrawAsk } from './decisions.js'
import {
  type AskRequest,
  type ConfirmRequest,
  type FormRequest,
  formRequest,
  inputRequest,
  type LiveRequest,
} from './request.js'
import type { RetryUntilStored } from './retry-until-stored.js'

/** Who may answer, until when, and what happens when nobody does. */
export interface AskOptions extends DeskPolicy {
  /** Default: 24 hours. */
  readonly timeoutMs?: number
  /** Whose own authorization this is about: nobody else is ever asked. */
  readonly owner?: string
  /** Withdraws the ask. */
  readonly signal?: AbortSignal
}

/** What came back, and from whom. */
export type AskOutcome<T = Content> =
  | { readonly action: 'accept'; readonly content: T; readonly by?: readonly AnsweredBy[]; readonly receipt?: string }
  | Exclude<DeskOutcome, { readonly action: 'accept' }>

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

/** What turns work on. */
export interface TurnDeps {
  readonly sessions: Sessions
  readonly waiters: Waiters
  readonly retry: RetryUntilStored
  readonly now: () => number
  /** This node, as asks name it. */
  readonly node: string
  readonly limits: AskLimits
  /** How many a server, each of its callers, and all together may have open. */
  readonly quota: OpenQuota
  /** Whether people can accept with a passkey here. */
  readonly hasPasskeys: boolean
  readonly rules: Pick<DeskRules, 'rulingOn'>
  readonly absences: Pick<Absences, 'standIns'>
  /** What signs how an ask ends that a rule decides. */
  readonly signer?: (() => Promise<SignEnding>) | undefined
}

/** A signed statement of how an ask ends; undefined for one that nobody wants a statement of. */
export type SignEnding = (session: Session, ended: EventOf<'askEnded'>) => string | undefined

const cannotOpen = 'The ask cannot be opened: '
const dayMs = 24 * 60 * 60 * 1000

export class DeskTurn implements Turn {
  readonly id: string
  readonly #deps: TurnDeps
  readonly #session: string

  constructor(deps: TurnDeps, session: string, id: string = randomUUID()) {
    this.#deps = deps
    this.#session = session
    this.id = id
  }

  async start(text: string): Promise<this> {
    const { sessions, now } = this.#deps
    const settled = await sessions.change(this.#session, session => startTurn(session, this.id, text, { at: now() }))
    if (settled.kind === 'refused') throw new RefusedError(settled, 'The turn cannot start: ')
    return this
  }

  async ask(request: AskRequest, options: AskOptions = {}): Promise<AskOutcome<never>> {
    // What comes back is as the request has it; the overloads say so.
    if (!('schema' in request) || request.schema === undefined)
      return (await this.#open(inputRequest(request), options)) as AskOutcome<never>
    const { id = randomUUID() } = request
    let times = 0
    return (await askUntilValid(request as FormRequest, asked => {
      times++
      return this.#open(formRequest(times === 1 ? id : `${id}.${times}`, asked, request as FormRequest), options)
    })) as AskOutcome<never>
  }

  async complete(): Promise<void> {
    await this.#end({ state: 'complete' })
  }

  async cancel(): Promise<void> {
    await this.#end({ state: 'cancelled' })
  }

  async fail({ name, message }: Error): Promise<void> {
    await this.#end({ state: 'error', error: { errorType: name, message } })
  }

  /** Opens an ask, and waits for its end. */
  async #open(request: InputRequest, options: AskOptions): Promise<AskOutcome> {
    const { sessions, retry, now, node, limits } = this.#deps
    const { timeoutMs = dayMs, owner, signal } = options
    if (options.person === 'verified') checkPasskeys(this.#deps)
    const { signal: _, timeoutMs: __, ...given } = options
    const expiresAt = now() + timeoutMs
    const digest = digestOfAsk(request, given)
    // Whose a session is never changes.
    const known = sessions.known(this.#session) ?? (await sessions.load(this.#session))
    const asking = policyFrom(options, { now: now(), expiresAt, owner, requester: known?.owner })
    const found = withStandIns(asking, this.#deps.absences, known?.owner)
    // Asks are opened in the order in which they were asked.
    const policy = found instanceof Promise ? await found : found
    const settled = await sessions.change(this.#session, known => {
      return openAsk(known, this.id, { request, policy, digest, node, limits }, { at: now() })
    })
    if (settled.kind === 'refused') throw new RefusedError(settled, cannotOpen)
    const withdraw = () =>
      retry.run(async () => {
        await sessions.change(this.#session, known => withdrawAsk(known, request.id, { at: now() }))
      })
    if (signal?.aborted) withdraw()
    signal?.addEventListener('abort', withdraw, { once: true })
    try {
      return await outcomeOf(this.#deps, this.#session, request.id)
    } finally {
      signal?.removeEventListener('abort', withdraw)
    }
  }

  #end(how: Parameters<typeof endTurn>[2]): Promise<Settled> {
    const { sessions, now } = this.#deps
    return sessions.change(this.#session, session => endTurn(session, this.id, how, { at: now() }))
  }
}

/** Waits for the end of an ask. Aborting ends the wait, not the ask. */
export async function outcomeOf(deps: TurnDeps, id: string, ask: string, signal?: AbortSignal): Promise<AskOutcome> {
  const { sessions, waiters, retry, now, node } = deps
  signal?.throwIfAborted()
  let session = sessions.known(id)
  const isKnown = session !== undefined && (findAsk(session, ask)?.ending || session.open.get(ask)?.node === node)
  if (!isKnown) {
    const settled = await sessions.change(id, known => awaitAsk(known, ask, node, { at: now() }))
    session = settled.kind === 'accepted' ? settled.session : undefined
  }
  const open = session?.open.get(ask)
  if (open === undefined) return outcomeIn(session && findAsk(session, ask))
  const ended = waiters.wait(id, ask, open.policy.expiresAt, signal)
  // What happened before it was waited for is known by now, or can be read.
  if (sessions.isLoaded(id)) waiters.check(id, sessions.known(id))
  else retry.run(async () => waiters.check(id, await sessions.load(id)))
  return outcomeIn(await ended)
}

function outcomeIn(ask: Ask | undefined): AskOutcome {
  const { response, by, rule, reason, isExpired, receipt } = ask?.ending ?? {}
  const who = {
    ...(ask !== undefined && (by ?? rule) !== undefined && { by: answeredBy(ask) }),
    ...(receipt !== undefined && { receipt }),
  }
  switch (response) {
    case 'accept':
      return { action: 'accept', content: contentOf(ask?.request.questions ?? [], ask?.drafts ?? {}), ...who }
    case 'decline':
      return { action: 'decline', ...(reason !== undefined && { reason }), ...who }
    default:
      return {
        action: 'cancel',
        ...((by ?? rule) === undefined && { why: isExpired ? 'expired' : 'withdrawn' }),
        ...who,
      }
  }
}

/** Who ended an ask, with those who had accepted the same before, where one is not enough. */
function answeredBy({ approvals, ending }: Ask): AnsweredBy[] {
  const { digest, by: principal, rule } = ending ?? {}
  const others = approvals.filter(one => one.digest === digest && one.principal !== principal)
  return [...others, { principal, rule }].flatMap(one => nameOf(one))
}

function nameOf({ principal, rule }: { principal?: string | undefined; rule?: string | undefined }): AnsweredBy[] {
  if (rule !== undefined) return [{ rule, ...(principal !== undefined && { principal }) }]
  return principal === undefined ? [] : [{ principal }]
}

/** An ask that takes a passkey never becomes one that a click accepts. */
export function checkPasskeys({ hasPasskeys }: Pick<TurnDeps, 'hasPasskeys'>): void {
  if (!hasPasskeys)
    throw new RefusedError({
      code: 'request-invalid',
      params: { detail: 'This desk has no passkeys. Give createDesk `passkeys`.' },
    })
}

export interface PolicyTimes {
  readonly now: number
  readonly expiresAt: number
  readonly owner?: string | undefined
  /** Who called. */
  readonly requester?: string | undefined
}

/** The caller does not approve their own call unless the author says so: with an audience one of the others has to accept. */
export function policyFrom(
  { audience, outlastsDecline, requesterCounts, remindAfterMs, escalation, person, receipt, ...given }: DeskPolicy,
  { now, expiresAt, owner, requester }: PolicyTimes,
): Policy {
  const isApart = requester !== undefined && !requesterCounts
  const { quorum = isApart && audience && owner === undefined ? 1 : undefined } = given
  return {
    expiresAt,
    ...(isApart && quorum !== undefined && { requester }),
    ...(audience && { audience }),
    ...(quorum !== undefined && { quorum }),
    ...(outlastsDecline && { outlastsDecline }),
    ...(remindAfterMs && { remindAt: remindAfterMs.map(after => now + after) }),
    // Nobody answers for someone else about who they are.
    ...(escalation &&
      owner === undefined && { escalation: { at: now + escalation.afterMs, audience: escalation.audience } }),
    ...(owner !== undefined && { owner }),
    ...(person && { person }),
    ...(receipt && { receipt }),
  }
}
