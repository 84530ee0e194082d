import type { Clock } from 'beckon'

/** So far ahead of this node's clock a number of another node may be. */
const maxAheadMs = 60_000

/**
 * The numbers of what a node tells its clients. They grow, also when a client changes nodes: each is at least a thousand times
 * the time in milliseconds. Gaps are normal.
 */
export class Numbers {
  readonly #clock: Clock
  #last: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#last = 1_000 * clock.now()
  }

  /** The last number that was given. */
  get last(): number {
    return this.#last
  }

  next(): number {
    this.#last = Math.max(this.#last + 1, 1_000 * this.#clock.now())
    return this.#last
  }

  /** From here on numbers are above one that a client has seen; false when no node can have given it yet. */
  raise(seen: number): boolean {
    if (seen > 1_000 * (this.#clock.now() + maxAheadMs)) return false
    this.#last = Math.max(this.#last, seen)
    return true
  }
}
