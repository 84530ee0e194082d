import { dropOldest } from '@beckon/core'
import { type Rate, TokenBucket } from './token-bucket.js'

/** As many are remembered; the one not seen for longest goes first. */
const maxKeys = 10_000

/** How much each person, or server, may ask for, whatever the number of their devices. */
export class KeyedRate {
  readonly #rate: Rate
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /** Whether one more request of someone is within the rate, or so many bytes. */
  take(key: string, now: number, cost = 1): boolean {
    const bucket = this.#buckets.get(key) ?? new TokenBucket(this.#rate, now)
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    dropOldest(this.#buckets, maxKeys)
    return bucket.take(now, cost)
  }
}
