/** How much of something. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/** Lets a burst through, and then so many a second. */
export class TokenBucket {
  readonly #rate: Rate
  #tokens: number
  #filledAt: number

  constructor(rate: Rate, now: number) {
    this.#rate = rate
    this.#tokens = rate.burst
    this.#filledAt = now
  }

  /** Whether one more is within the rate, or so much more. What is not takes nothing. */
  take(now: number, cost = 1): boolean {
    const { perSecond, burst } = this.#rate
    // A clock that was set back must not empty it.
    const elapsedMs = Math.max(0, now - this.#filledAt)
    this.#tokens = Math.min(burst, this.#tokens + (elapsedMs / 1_000) * perSecond)
    this.#filledAt = now
    if (this.#tokens < cost) return false
    this.#tokens -= cost
    return true
  }
}
