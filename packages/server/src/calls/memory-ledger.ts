import { StateRejectedError } from '@beckon/core'
import type { StepEntry } from '../call/journal.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import type { Clock } from '../runtime/clock.js'
import { type Deferred, deferred } from '../runtime/deferred.js'
import type { Claimed, Ledger, RoundClaim, Work } from './ledger.js'

export interface MemoryLedgerLimits {
  /** Replies that are kept for repeats. */
  replies: number
  /** Rounds that are remembered as answered, which is less to keep. */
  rounds: number
}

interface Settling<R> {
  readonly since: number
  /** Undefined when the round was reopened: whoever waits goes through it itself. */
  readonly reply: Deferred<{ reply: R } | undefined>
}

/** Work on the first request of a call, which no repeat can ask for. */
const unnumbered: Work<unknown> = {
  at: 0,
  isMine: () => true,
  step: async () => true,
  settle: () => undefined,
  reopen: async () => {},
}

/** Holds within this process. The state carries the journal. */
export class MemoryLedger<R> implements Ledger<R> {
  readonly keepsJournal = false
  readonly #clock: Clock
  readonly #answers: BoundedMap<string, string>
  readonly #replies: BoundedMap<string, Settling<R>>
  /** Steps of calls that were cut short: what was finished stays finished. */
  readonly #steps: BoundedMap<string, StepEntry[]>

  constructor(clock: Clock, { replies, rounds }: MemoryLedgerLimits) {
    this.#clock = clock
    this.#answers = new BoundedMap(rounds)
    this.#replies = new BoundedMap(replies)
    this.#steps = new BoundedMap(replies)
  }

  begin(): Work<R> {
    return unnumbered
  }

  async claim({ call, round, answers }: RoundClaim): Promise<Claimed<R>> {
    const id = `${call}.${round}`
    for (;;) {
      const before = this.#answers.get(id)
      if (before === undefined) {
        const journal = this.#steps.get(call) ?? []
        if (answers === undefined) return { kind: 'open', work: this.#work(call), journal }
        this.#answers.set(id, answers)
        this.#replies.set(id, { since: this.#clock.now(), reply: deferred() })
        return { kind: 'mine', isMoved: false, work: this.#work(call, id), journal }
      }
      if (answers !== undefined && before !== answers) throw new StateRejectedError('other answers were given before')
      const settled = await this.#settlingOf(id).reply.promise
      if (settled !== undefined) return { kind: 'repeat', reply: settled.reply }
    }
  }

  forgetBefore(time: number): void {
    for (const [id, { since }] of this.#replies.entries()) {
      if (since >= time) return
      this.#replies.delete(id)
    }
  }

  #settlingOf(id: string): Settling<R> {
    const settling = this.#replies.get(id)
    if (settling === undefined) throw new StateRejectedError('it was answered before, and that reply is no longer kept')
    return settling
  }

  /** @param id Of the round that is answered; without one, nobody has answered it. */
  #work(call: string, id?: string): Work<R> {
    const finished: StepEntry[] = []
    let isSettled = false
    return {
      at: 0,
      isMine: () => true,
      step: async entry => finished.push(entry) > 0,
      settle: reply => {
        isSettled = true
        if (id !== undefined) this.#replies.get(id)?.reply.resolve({ reply })
        return undefined
      },
      reopen: async () => {
        if (finished.length > 0) this.#steps.set(call, [...(this.#steps.get(call) ?? []), ...finished])
        // A round that has its reply stays answered, whatever becomes of those who wait for more.
        if (id === undefined || isSettled) return
        this.#answers.delete(id)
        this.#replies.get(id)?.reply.resolve(undefined)
        this.#replies.delete(id)
      },
    }
  }
}
