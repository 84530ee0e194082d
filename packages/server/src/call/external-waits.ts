import type { ExternalWait } from '../waits/waits.js'

/** What a call waits for outside. */
export class ExternalWaits {
  #held: readonly ExternalWait<unknown>[] = []
  #until = 0

  get isEmpty(): boolean {
    return this.#held.length === 0
  }

  /** Until when something may still come. */
  get until(): number {
    return this.#until
  }

  add(outside: ExternalWait<unknown>, expiresAt: number): void {
    this.#held = this.#held.concat(outside)
    this.#until = Math.max(this.#until, expiresAt)
  }

  remove(outside: ExternalWait<unknown>): void {
    this.#held = this.#held.filter(other => other !== outside)
  }

  watch(): void {
    for (const outside of this.#held) outside.watch()
  }

  pause(): void {
    for (const outside of this.#held) outside.pause()
  }
}
