import { CallCancelledError, StateRejectedError } from '@beckon/core'
import type { Ask, OpenAsk } from '../call/ask.js'
import type { Target } from '../call/call-types.js'
import type { Incoming } from '../call/incoming.js'
import type { AskMark } from '../call/journal.js'
import type { RunnerOptions } from './runner.js'
import { decodeState, encodeState } from './state-codec.js'

/** An open ask as a state remembers it: enough to take its answer without running the handler. */
export interface OpenMark extends AskMark, Pick<OpenAsk, 'id' | 'from' | 'askedAt' | 'expiresAt' | 'floor'> {
  readonly ask: Ask['kind']
}

/** What a `requestState` holds once it is opened. Everything that it is bound to is in it. */
export interface RequestState {
  call: string
  /** The process that holds its suspended handler. */
  node: string
  round: number
  issuedAt: number
  expiresAt: number
  principal: string | null
  target: Target
  /** The version of the server that made it. */
  version: string
  open: OpenMark[]
  /** As `addToJournal` writes it; absent where the log keeps it. */
  journal?: string
  /** How many rounds in a row a replay did not reach what the journal has. */
  misses: number
  /** Until when the latest state of the call can be opened. */
  promisedUntil: number
  /** Whether the call had a log by then. */
  isLogged: boolean
}

/** Seals what a call needs for its next round, and opens what a client brings back. */
export class RequestStates {
  readonly #options: Pick<RunnerOptions<never>, 'seal' | 'clock' | 'version' | 'limits'>
  #issuedUntil = Number.NEGATIVE_INFINITY

  constructor(options: Pick<RunnerOptions<never>, 'seal' | 'clock' | 'version' | 'limits'>) {
    this.#options = options
  }

  /** The latest time at which one was issued here: a clock may be set back. */
  get issuedUntil(): number {
    return this.#issuedUntil
  }

  /** The state that opens a round, or why there can be none. */
  seal(state: Omit<RequestState, 'version' | 'issuedAt'>): string | Error {
    const { seal, version, limits, clock } = this.#options
    const issuedAt = clock.now()
    this.#issuedUntil = Math.max(this.#issuedUntil, issuedAt)
    const sealed = seal.seal(encodeState(state, version, issuedAt))
    if (sealed.length <= limits.stateBytes) return sealed
    return new CallCancelledError(
      `The call has learned ${sealed.length} bytes, and a request state may have ${limits.stateBytes}. Give the server a store, or ask for less.`,
    )
  }

  /** @throws StateRejectedError for a state that is not ours, is over, or is not for this request. */
  open(sealed: string, target: Target, { principal }: Pick<Incoming, 'principal'>): RequestState {
    const { clock, seal } = this.#options
    const state = decodeState(seal.open(sealed))
    if (state === undefined) throw new StateRejectedError('its format is not known')
    if (clock.now() >= state.expiresAt) throw expired()
    checkBinding(state, target, principal)
    return state
  }
}

export function markOpen({ id, ask: { kind: ask }, mark, from, askedAt, expiresAt, floor }: OpenAsk): OpenMark {
  // Written out: on this path a spread costs more than everything else about it.
  const { key, digest, nth, position } = mark
  return key === undefined
    ? { digest, nth, position, id, ask, from, askedAt, expiresAt, floor }
    : { key, digest, nth, position, id, ask, from, askedAt, expiresAt, floor }
}

/** Refuses a state that is not for this request. */
export function checkBinding(
  state: { target: Target; principal: string | null },
  target: Target,
  principal: string | undefined,
): void {
  if (state.principal !== (principal ?? null)) throw new StateRejectedError('it belongs to someone else')
  const { method, name, digest } = state.target
  if (method !== target.method || name !== target.name) throw new StateRejectedError('it belongs to another call')
  if (digest !== target.digest) throw new StateRejectedError('the arguments are not those it was made for')
}

export function expired(): StateRejectedError {
  return new StateRejectedError('it has expired')
}
