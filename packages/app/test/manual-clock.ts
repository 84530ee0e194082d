import type { Clock } from '@beckon/core'

/** Time that stands still until it is moved. */
export class ManualClock implements Clock {
  #now = 1_700_000_000_000
  #timers: { at: number; fn: () => void }[] = []

  now(): number {
    return this.#now
  }

  after(delayMs: number, fn: () => void): () => void {
    const timer = { at: this.#now + delayMs, fn }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter(other => other !== timer)
    }
  }

  /** Lets time pass, and whatever is due happen when it is due. */
  advance(ms: number): void {
    const until = this.#now + ms
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      const { at, fn } = next
      this.#timers = this.#timers.filter(timer => timer !== next)
      this.#now = Math.max(this.#now, at)
      fn()
    }
    this.#now = until
  }

  #next(until: number) {
    return this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
  }
}
