import type { Clock } from 'beckon'

/** Measures time in pieces, and calls back when so much of it has gone by. */
export class PausingTimer {
  readonly #clock: Clock
  readonly #onTime: () => void
  #leftMs: number
  #since: number | undefined
  #cancel = (): void => {}

  constructor(clock: Clock, totalMs: number, onTime: () => void) {
    this.#clock = clock
    this.#leftMs = totalMs
    this.#onTime = onTime
  }

  run(): void {
    if (this.#since !== undefined) return
    this.#since = this.#clock.now()
    this.#cancel = this.#clock.after(this.#leftMs, this.#onTime)
  }

  pause(): void {
    if (this.#since === undefined) return
    this.#leftMs = Math.max(0, this.#leftMs - (this.#clock.now() - this.#since))
    this.#since = undefined
    this.#cancel()
  }
}
