// What rounds were answered with, in the logs of their calls. What could not be written down was told to nobody: a durable call
// goes on, and its reply is written once the store can be reached; any other round is for the process that claims it again.
import type { CallResponse, RoundReply } from '../log/events.js'
import { roundOf } from '../log/reduce.js'
import type { Attempt } from './attempt.js'
import type { RunnerParts } from './runner-parts.js'

export class RoundReplies<T> {
  readonly #parts: RunnerParts<T>

  constructor(parts: RunnerParts<T>) {
    this.#parts = parts
  }

  /** Writes down what the round that a run works on is answered with. False when the call is another run's. */
  reply(
    attempt: Attempt<T>,
    reply: RoundReply,
    expiresAt: number = this.#parts.clock.now(),
  ): boolean | Promise<boolean> {
    const round = take(attempt)
    if (round === undefined) return true
    const at = this.#parts.clock.now()
    const write = () =>
      attempt.writeNow(
        state => (roundOf(state, round)?.reply === undefined ? { kind: 'replied', round, reply, at } : undefined),
        expiresAt,
      )
    const writing = write()
    if (typeof writing === 'boolean') return writing
    return this.#orLater(writing, attempt.isDurable ? async () => write() : () => this.#reopen(attempt, round))
  }

  /** The same for a call that is over with it. */
  end(attempt: Attempt<T>, end: CallResponse): boolean | Promise<boolean> {
    const round = take(attempt)
    if (round === undefined) return true
    const at = this.#parts.clock.now()
    const writing = attempt.writeNow(() => ({ kind: 'ended', end, at }), at)
    return typeof writing === 'boolean' ? writing : this.#orLater(writing, () => this.#reopen(attempt, round))
  }

  /** Has the round that a run works on answered again: by the same answers, or by others. */
  async reopen(attempt: Attempt<T>): Promise<void> {
    const round = take(attempt)
    if (round !== undefined) await this.#parts.nodes.retryUntilStored(() => this.#reopen(attempt, round))
  }

  async #orLater(writing: Promise<boolean>, later: () => Promise<unknown>): Promise<boolean> {
    try {
      return await writing
    } catch (error) {
      void this.#parts.nodes.retryUntilStored(later)
      throw error
    }
  }

  async #reopen(attempt: Attempt<T>, round: number): Promise<void> {
    const at = this.#parts.clock.now()
    await attempt.write(state => {
      const settled = roundOf(state, round)
      const isOpen = settled === undefined || settled.reply !== undefined || state.record !== undefined
      return isOpen ? undefined : { kind: 'reopened', round, at }
    })
  }
}

/** Takes the round that a run works on: from then on it works on none. */
function take<T>(attempt: Attempt<T>): number | undefined {
  const { answeredRound } = attempt
  attempt.answeredRound = undefined
  return answeredRound
}
