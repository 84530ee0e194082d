// Gives a handler what it waits for in the order in which the journal has it, one thing a turn of the event loop: in the run that
// learns it, and in every run that is given it again. So branches that run beside each other go the same way each time, and none
// takes a step or an answer of another for its own.
//
// A run that is given things again waits for what was learned before them and could have been reached by now; not for long, and
// once, since the handler may be another by now and never come to it.
import { afterTurn } from '../runtime/after-turn.js'
import type { Journal } from './journal.js'

const patienceMs = 1_000
/** Taken at import, and not of the server's clock: a test that stops that one must not stop a handler. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

interface Waiting {
  /** Of an entry in the journal. */
  readonly index: number
  readonly give: () => void
}

const none: readonly never[] = []

export class Deliveries {
  readonly #journal: Journal
  /** Told when nothing waits any more. */
  readonly #onDone: () => void
  // Short lists, made anew: those with room to grow would be more for a suspended call to keep.
  #waiting: readonly Waiting[] = none
  /** What this run has learned, and nobody has asked for yet. */
  #learned: readonly number[] = none
  /** Something was given in this turn of the event loop. */
  #hasGiven = false
  #timer: ReturnType<typeof startTimer> | undefined

  constructor(journal: Journal, onDone: () => void) {
    this.#journal = journal
    this.#onDone = onDone
  }

  /** Whether something waits, or what was given last may lead to more. */
  get isBusy(): boolean {
    return this.#waiting.length > 0 || this.#hasGiven
  }

  /** This run has learned an entry: what is learned later comes after it. */
  learned(index: number): void {
    this.#learned = this.#learned.concat(index)
  }

  /** Calls `give` when it is the turn of an entry: at once, where this run has learned that, and nothing else in this turn. */
  inTurn(index: number, give: () => void): void {
    const isFree = !this.#hasGiven && this.#waiting.length === 0 && this.#learned.length === 1
    if (isFree && this.#learned[0] === index) {
      // Nearly always.
      this.#learned = none
      this.#give(index, give)
      return
    }
    this.#waiting = this.#waiting.concat({ index, give })
    this.#endTurn()
  }

  /** What waits, waits for good; what was learned is found as what an earlier run has learned. */
  stop(): void {
    stopTimer(this.#timer)
    this.#timer = undefined
    this.#waiting = none
    this.#learned = none
  }

  #deliver(): void {
    const next = this.#waiting.reduce<Waiting | undefined>(
      (first, other) => (first === undefined || other.index < first.index ? other : first),
      undefined,
    )
    if (next === undefined) return
    const { index, give } = next
    const isNew = this.#learned.includes(index)
    // What is asked for in a moment comes first.
    if (this.#learned.some(other => other < index)) return
    if (!isNew && this.#journal.isMissing(index)) {
      this.#timer ??= startTimer(() => {
        this.#journal.waitNoMore()
        this.#deliver()
      }, patienceMs)
      return
    }
    stopTimer(this.#timer)
    this.#timer = undefined
    this.#waiting = this.#waiting.length === 1 ? none : this.#waiting.filter(other => other !== next)
    if (isNew) this.#learned = this.#learned.length === 1 ? none : this.#learned.filter(other => other !== index)
    this.#give(index, give)
  }

  #give(index: number, give: () => void): void {
    this.#journal.given(index)
    give()
    this.#endTurn()
  }

  /** What comes of something has its turn before anything else is given. */
  #endTurn(): void {
    if (this.#hasGiven) return
    this.#hasGiven = true
    afterTurn(() => {
      this.#hasGiven = false
      this.#deliver()
      if (!this.isBusy) this.#onDone()
    })
  }
}
