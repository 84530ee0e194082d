import type { Clock } from './clock.js'

/** Measures time in pieces, and tells when so much of it has gone by. */
export class Stopwatch {
  readonly #clock: Clock
  readonly #onTime: () => void
  #leftMs: number
  #startedAt: number | undefined
  #cancel = () => {}

  constructor(clock: Clock, totalMs: number, onTime: () => void) {
    this.#clock = clock
    this.#leftMs = totalMs
    this.#onTime = onTime
  }

  run(): void {
    if (this.#startedAt !== undefined) return
    this.#startedAt = this.#clock.now()
    this.#cancel = this.#clock.after(this.#leftMs, this.#onTime)
  }

  stop(): void {
    if (this.#startedAt === undefined) return
    this.#leftMs = Math.max(0, this.#leftMs - (this.#clock.now() - this.#startedAt))
    this.#startedAt = undefined
    this.#cancel()
  }
}
