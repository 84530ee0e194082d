import type { Clock } from 'beckon'

const retryMs = 5_000

/** Does what has to be done sooner or later: while the store is away, it tries again. */
export class Insistence {
  readonly #clock: Clock
  readonly #timers = new Set<() => void>()
  #isClosed = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  until(act: () => Promise<void>): void {
    act().catch(() => {
      if (this.#isClosed) return
      const stop = this.#clock.after(retryMs, () => {
        this.#timers.delete(stop)
        this.until(act)
      })
      this.#timers.add(stop)
    })
  }

  close(): void {
    this.#isClosed = true
    for (const stop of this.#timers) stop()
  }
}
