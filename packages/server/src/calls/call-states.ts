import { CallCancelledError, StateRejectedError } from '@beckon/core'
import type { Call } from '../call/call.js'
import type { Round, RoundsOptions } from './round.js'
import { type CallState, checkBinding, markOpen } from './state.js'

/** How long after its last ask a call can still be gone on with. */
const lateMs = 5 * 60_000

/** Seals what a call needs for its next round, and opens what a client brings back. */
export class CallStates {
  readonly #options: RoundsOptions
  readonly #keepsJournal: boolean

  /** @param keepsJournal Whether the journal is kept elsewhere, and not in the state. */
  constructor(options: RoundsOptions, keepsJournal: boolean) {
    this.#options = options
    this.#keepsJournal = keepsJournal
  }

  /** The state that opens a round, or why there can be none. */
  seal(call: Call, round: number, misses: number): string | Error {
    const { seal, version, limits } = this.#options
    const state: CallState = {
      format: 1,
      call: call.id,
      round,
      expiresAt: comesBackUntil(call),
      principal: call.principal ?? null,
      target: call.target,
      version,
      open: call.openAsks.map(markOpen),
      misses,
    }
    if (!this.#keepsJournal) state.journal = call.journal.encoded
    const sealed = seal.seal(state)
    if (sealed.length <= limits.stateBytes) return sealed
    return new CallCancelledError(
      `The call has learned ${sealed.length} bytes, and a request state may have ${limits.stateBytes}. Give the server a store, or ask for less.`,
    )
  }

  /** @throws StateRejectedError for a state that is not ours, is over, or is not for this request. */
  open(sealed: string, { target, incoming }: Pick<Round<unknown, unknown>, 'target' | 'incoming'>): CallState {
    const { clock, seal } = this.#options
    // Only this server can have sealed it, in this format.
    const state = seal.open(sealed) as CallState
    if (state.format !== 1) throw new StateRejectedError('its format is not known')
    if (clock.now() >= state.expiresAt) throw expired()
    checkBinding(state, target, incoming.principal)
    return state
  }

  /** @throws StateRejectedError where the handler must not run again. */
  checkReplay(state: CallState, { incoming }: Pick<Round<unknown, unknown>, 'incoming'>): void {
    const { version, onDeploy, replay } = this.#options
    if ((incoming.replay ?? replay) === 'never')
      throw new StateRejectedError('the process that ran this call is gone, and its handler cannot be replayed')
    if (state.version !== version && onDeploy === 'fail')
      throw new StateRejectedError(`it was made by version ${state.version} of this server`)
  }
}

/** A client that comes after the time of the last ask still gets what the handler made of that. */
export function comesBackUntil(call: Pick<Call, 'openUntil'>): number {
  return call.openUntil + lateMs
}

export function expired(): StateRejectedError {
  return new StateRejectedError('it has expired')
}
