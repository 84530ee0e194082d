// Who may talk to an app that listens: a gateway that has the code. A code is short, so that a person can say it; what keeps it
// from being guessed is that five wrong ones within a minute lock everyone out until that minute is over.
// Other programs of the same user are not kept out: they can read the manifest.
import type { Clock } from '@beckon/core'
import { type Claim, isCode, isSameCode } from './claim.js'

/** Why someone does not get in. */
export type Refusal = 'locked' | 'missing' | 'malformed' | 'wrong' | 'bound'

const maxFailures = 5
const windowMs = 60_000

export class Authorizer {
  readonly #clock: Clock
  #failures: number[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Undefined lets the caller in. */
  check(code: string | undefined, claim: Claim, isBound: boolean): Refusal | undefined {
    const now = this.#clock.now()
    this.#failures = this.#failures.filter(at => now - at < windowMs)
    if (this.#failures.length >= maxFailures) return 'locked'
    if (code === undefined) return 'missing'
    if (!isCode(code)) return 'malformed'
    // Whether the code is right is nobody's business while a gateway is here.
    if (isBound) return 'bound'
    if (isSameCode(code, claim.code) && now <= claim.expiresAt) return undefined
    this.#failures.push(now)
    return 'wrong'
  }
}
