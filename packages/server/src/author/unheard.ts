// Finds a forgotten `await`. A promise is always true, so `if (!ctx.confirm(...)) return` lets everything through, and no type
// checker minds. Anyone who waits for a promise, by `await`, `then` or `Promise.all`, first reads its constructor: one that nobody
// has read that of is one that nobody waits for.

import type { Call } from '../call/call.js'

interface Unheard {
  readonly promise: Promise<unknown>
  /** What is asked. */
  readonly question: string
}

const none: readonly Unheard[] = []

/** Whose promises nobody waits for yet. */
const owners = new WeakMap<object, UnheardAsks>()

const listening: object = Object.create(Promise.prototype, {
  constructor: {
    get(this: Promise<unknown>) {
      owners.get(this)?.heard(this)
      return Promise
    },
  },
})

/** The asks of one run for which nobody waits. */
export class UnheardAsks {
  /** Undefined where nobody looks: to listen costs a tenth of a call. */
  readonly #call: Pick<Call, 'openAsks'> | undefined
  #unheard = none
  #hasHeard = false

  constructor(call: Pick<Call, 'openAsks'> | undefined) {
    this.#call = call
  }

  /** The same promise, which is one of these until somebody waits for it. */
  listen<P extends Promise<unknown>>(promise: P, question: string): P {
    if (this.#call === undefined) return promise
    owners.set(promise, this)
    this.#unheard = this.#unheard.concat({ promise, question })
    return Object.setPrototypeOf(promise, listening)
  }

  heard(promise: Promise<unknown>): void {
    owners.delete(promise)
    this.#hasHeard = true
    Object.setPrototypeOf(promise, Promise.prototype)
    this.#unheard = this.#unheard.length === 1 ? none : this.#unheard.filter(other => other.promise !== promise)
  }

  /** The handler begins again: what it asked before is over. */
  clear(): void {
    this.#unheard = none
  }

  /** @throws TypeError where there is one; unless it was asked beside another that was waited for, and may not be needed any more */
  check(): void {
    const [first] = this.#unheard
    if (first === undefined || (this.#hasHeard && this.#call?.openAsks.length === 0)) return
    // What comes of them now is nobody's.
    for (const { promise } of this.#unheard) promise.catch(() => {})
    throw new TypeError(
      `The handler returned without waiting for the answer to "${first.question}". Write \`await\` before it: a promise is always true, so nothing was held back.`,
    )
  }
}
