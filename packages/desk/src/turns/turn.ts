import { randomUUID } from 'node:crypto'
import { type AnswerOf, type AskSchema, askUntilValid, type Content, contentOf } from '@beckon/core'
import type { InputRequest } from '@beckon/core/chat'
import type { Audience, Policy } from '../model/policy.js'
import type { Ask } from '../model/session.js'
import { RefusedError } from '../policy/refusals.js'
import type { Decision, Sessions, Settled } from '../sessions/sessions.js'
import type { Waiters } from '../sessions/waiters.js'
import { endTurn, openAsk, startTurn, withdrawAsk } from './decisions.js'
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
export interface AskOptions {
  readonly audience?: Audience
  /** How many different people have to accept. For confirms. */
  readonly quorum?: number
  /** A decline does not end a quorum. */
  readonly outlastsDecline?: boolean
  /** Default: 24 hours. */
  readonly timeoutMs?: number
  /** When to remind, after the ask was opened. */
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

/** What turns work on. */
export interface TurnDeps {
  readonly sessions: Sessions
  readonly waiters: Waiters
  readonly retry: RetryUntilStored
  readonly now: () => number
  /** This node, as asks name it. */
  readonly node: string
  /** How many asks may be open in a session. */
  readonly maxOpen: number
}

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
    if (settled.kind === 'refused') throw new RefusedError(`The turn cannot start: ${settled.reason}.`)
    return this
  }

  async ask(request: AskRequest, options: AskOptions = {}): Promise<AskOutcome<never>> {
    // What comes back is as the request has it; the overloads say so.
    if (!('schema' in request) || request.schema === undefined)
      return (await this.#open(inputRequest(request), options)) as AskOutcome<never>
    return (await askUntilValid(request as FormRequest, asked =>
      this.#open(formRequest(asked), options),
    )) as AskOutcome<never>
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

  #open(request: InputRequest, options: AskOptions): Promise<AskOutcome> {
    const { now, node, maxOpen } = this.#deps
    const policy = policyFrom(options, now())
    const ask = { request, policy, node, maxOpen }
    return openAndWait(this.#deps, this.#session, {
      request,
      signal: options.signal,
      decide: session => openAsk(session, this.id, ask, { at: now() }),
    })
  }

  #end(how: Parameters<typeof endTurn>[2]): Promise<Settled> {
    const { sessions, now } = this.#deps
    return sessions.change(this.#session, session => endTurn(session, this.id, how, { at: now() }))
  }
}

export interface Opening {
  readonly request: InputRequest
  /** Withdraws it. */
  readonly signal: AbortSignal | undefined
  readonly decide: Parameters<Sessions['change']>[1]
}

/** Opens an ask, and waits for its end. */
export async function openAndWait(
  deps: TurnDeps,
  id: string,
  { request, signal, decide }: Opening,
): Promise<AskOutcome> {
  const { sessions, waiters, retry, now } = deps
  const settled = await sessions.change(id, decide)
  if (settled.kind === 'refused') throw new RefusedError(`The ask cannot be opened: ${settled.reason}.`)
  const endsAt = settled.session?.open.get(request.id)?.policy.expiresAt ?? now()
  const ended = waiters.wait(id, request.id, endsAt)
  // What happened before it was waited for is known by now, or can be read.
  if (sessions.isLoaded(id)) waiters.check(id, sessions.known(id))
  else retry.run(async () => waiters.check(id, await sessions.load(id)))
  const withdraw = () =>
    retry.run(async () => {
      await sessions.change(id, (session): Decision => withdrawAsk(session, request.id, { at: now() }))
    })
  if (signal?.aborted) withdraw()
  signal?.addEventListener('abort', withdraw, { once: true })
  try {
    return outcomeOf(request, await ended)
  } finally {
    signal?.removeEventListener('abort', withdraw)
  }
}

function outcomeOf({ questions = [] }: InputRequest, ask: Ask | undefined): AskOutcome {
  const { response, by, reason, isExpired } = ask?.ending ?? {}
  const who = by === undefined ? {} : { by }
  switch (response) {
    case 'accept':
      return { action: 'accept', content: contentOf(questions, ask?.drafts ?? {}), ...who }
    case 'decline':
      return { action: 'decline', ...(reason !== undefined && { reason }), ...who }
    default:
      return { action: 'cancel', ...(isExpired && { isExpired }), ...who }
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
