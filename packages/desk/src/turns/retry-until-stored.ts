import type { Clock } from 'beckon'

const retryMs = 5_000

/** Does what has to be done sooner or later: while the store is away, it tries again. */
export class RetryUntilStored {
  readonly #clock: Clock
  readonly #timers = new Set<() => void>()
  #isClosed = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  run(action: () => Promise<void>): void {
    action().catch(() => {
      if (this.#isClosed) return
      const stop = this.#clock.after(retryMs, () => {
        this.#timers.delete(stop)
        this.run(action)
      })
      this.#timers.add(stop)
    })
  }

  close(): void {
    this.#isClosed = true
    for (const stop of this.#timers) stop()
  }
}
