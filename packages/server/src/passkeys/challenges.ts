// The threat: an assertion that is used twice, for another ask, for a changed amount, or by somebody else. A challenge is the
// digest of a random number and of all that it is for; what the authenticator signs is therefore what the person confirms.
// It is kept for one person and taken out with the first try, good or bad. A person has a few at most, so that nobody can fill
// the store with them.
import { digest } from '../crypto/digest.js'
import { randomId } from '../crypto/random-id.js'
import type { Clock } from '../runtime/clock.js'
import { Cell } from '../store/handles/index.js'
import type { Store } from '../store/index.js'

interface Kept {
  readonly challenge: string
  readonly nonce: string
  readonly expiresAt: number
}

/** What a challenge is for: nothing else can be done with the answer. */
export interface Purpose {
  readonly kind: 'ask' | 'enrol' | 'remove'
  /** Of what is confirmed; the same value, or another challenge. */
  readonly about: unknown
}

const challengeMs = 5 * 60 * 1000
const maxOpen = 10

/** The challenges that people were given and have not answered yet. */
export class Challenges {
  readonly #store: Store
  readonly #clock: Pick<Clock, 'now'>
  readonly #prefix: string

  constructor(store: Store, clock: Pick<Clock, 'now'>, prefix: string) {
    this.#prefix = prefix
    this.#store = store
    this.#clock = clock
  }

  /** A new challenge, in base64url: 32 bytes. */
  async give(principal: string, purpose: Purpose): Promise<string> {
    const now = this.#clock.now()
    const nonce = randomId()
    const challenge = challengeOf(principal, purpose, nonce)
    const expiresAt = now + challengeMs
    await this.#cell(principal).update((known = []) => {
      const open = known.filter(kept => kept.expiresAt > now).slice(1 - maxOpen)
      return { value: [...open, { challenge, nonce, expiresAt }], expiresAt, result: undefined }
    })
    return challenge
  }

  /** Takes a challenge out, for good. True when it was given to this person, for this very purpose, lately. */
  async take(principal: string, purpose: Purpose, challenge: string): Promise<boolean> {
    const found = await this.#cell(principal).update<Kept | undefined>((known = []) => {
      const kept = known.find(one => one.challenge === challenge)
      if (kept === undefined) return { result: undefined }
      const rest = known.filter(one => one !== kept)
      const until = Math.max(...rest.map(({ expiresAt }) => expiresAt))
      return rest.length === 0 ? { isRemoved: true, result: kept } : { value: rest, expiresAt: until, result: kept }
    })
    if (found === undefined || found.expiresAt <= this.#clock.now()) return false
    return challengeOf(principal, purpose, found.nonce) === challenge
  }

  #cell(principal: string): Cell<readonly Kept[]> {
    return new Cell(this.#store, `${this.#prefix}passkey-challenges/${digest(principal)}`)
  }
}

function challengeOf(principal: string, { kind, about }: Purpose, nonce: string): string {
  return digest({ kind: `beckon ${kind}`, about, principal, nonce })
}
