import type { Clock } from '../src/runtime/clock.js'

/** A clock that a test moves. */
export class FakeClock implements Clock {
  #now = 1_000_000
  #timers = new Set<{ at: number; fn: () => void }>()

  now(): number {
    return this.#now
  }

  after(delayMs: number, fn: () => void): () => void {
    const timer = { at: this.#now + delayMs, fn }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  get pending(): number {
    return this.#timers.size
  }

  /** Whether a timer is set for then. */
  isSetFor(at: number): boolean {
    return [...this.#timers].some(timer => timer.at === at)
  }

  /** Lets time pass without running timers, as for a process that stood still. */
  jump(ms: number): void {
    this.#now += ms
  }

  advance(ms: number): void {
    const until = this.#now + ms
    for (;;) {
      const next = [...this.#timers].filter(timer => timer.at <= until).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.#timers.delete(next)
      this.#now = next.at
      next.fn()
    }
    this.#now = until
  }
}
