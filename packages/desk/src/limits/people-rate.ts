import { type Rate, TokenBucket } from './token-bucket.js'

/** People who are remembered; whoever was not seen for longest goes first. */
const maxPeople = 10_000

/** How much each person may ask for, whatever the number of their devices. */
export class PeopleRate {
  readonly #rate: Rate
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /** Whether one more request of someone is within the rate. */
  take(principal: string, now: number): boolean {
    const bucket = this.#buckets.get(principal) ?? new TokenBucket(this.#rate, now)
    this.#buckets.delete(principal)
    this.#buckets.set(principal, bucket)
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > maxPeople && oldest !== undefined) this.#buckets.delete(oldest)
    return bucket.take(now)
  }
}
