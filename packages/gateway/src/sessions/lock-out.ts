import { dropOldest } from '@beckon/core'
import type { Clock } from 'beckon'

const windowMs = 60_000
const maxFailures = 5
/**
 * Of all principals together, so that many accounts are no way to many guesses: one of a code that lives for ten minutes then
 * succeeds once in 100,000 times. Far from what a few accounts reach, so that they cannot keep everybody out.
 */
const maxFailuresOfAll = 1_000
const maxPrincipals = 1_000

/** Counts wrong claim codes: after five within a minute a principal has to wait a minute, even with the right one; others do not. */
export class LockOut {
  readonly #clock: Clock
  readonly #failures = new Map<string | undefined, readonly number[]>()
  #all: readonly number[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  isLocked(principal: string | undefined): boolean {
    const own = this.#recent(this.#failures.get(principal) ?? [])
    return own.length >= maxFailures || this.#recent(this.#all).length >= maxFailuresOfAll
  }

  failed(principal: string | undefined): void {
    const now = this.#clock.now()
    this.#all = [...this.#recent(this.#all), now]
    const own = [...this.#recent(this.#failures.get(principal) ?? []), now]
    this.#failures.delete(principal)
    this.#failures.set(principal, own)
    dropOldest(this.#failures, maxPrincipals)
  }

  succeeded(principal: string | undefined): void {
    this.#failures.delete(principal)
  }

  #recent(times: readonly number[]): readonly number[] {
    const since = this.#clock.now() - windowMs
    return times.filter(time => time > since)
  }
}
