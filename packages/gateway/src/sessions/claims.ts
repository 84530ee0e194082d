import { dropOldest, SerialQueue } from '@beckon/core'
import type { Claim, Owner } from './claim.js'
import { hashSecret, isSameSecret } from './claim-code.js'
import type { ClaimStorage } from './claim-storage.js'

const maxClaims = 1_000

/** The claims that hold, kept so that they survive. */
export class Claims {
  readonly #storage: ClaimStorage
  readonly #log: (message: string) => void
  readonly #claims = new Map<string, Claim>()
  /** Resolves once what an earlier process kept is here. */
  readonly ready: Promise<void>
  readonly #work = new SerialQueue()

  constructor(storage: ClaimStorage, log: (message: string) => void) {
    this.#storage = storage
    this.#log = log
    this.ready = this.reload().catch(error =>
      log(`Claims will not survive a restart: ${error instanceof Error ? error.message : error}`),
    )
  }

  /** Takes what is kept, as another gateway on the same store may have changed it. Rejects where nothing is. */
  reload(): Promise<void> {
    return this.#work.run(async () => {
      const kept = await this.#storage.load()
      this.#claims.clear()
      for (const claim of kept) this.#claims.set(claim.sessionId, claim)
    })
  }

  /** Every claim that an owner has on an application of this id. */
  of(owner: Owner, appId: string): Claim[] {
    return [...this.#claims.values()].filter(claim => claim.owner === owner && claim.appId === appId)
  }

  all(): Claim[] {
    return [...this.#claims.values()]
  }

  /** Resolves once it is kept. */
  set(claim: Claim): Promise<void> {
    this.#claims.delete(claim.sessionId)
    this.#claims.set(claim.sessionId, claim)
    dropOldest(this.#claims, maxClaims)
    return this.#keep(claims => [...without(claims, claim.sessionId), claim].slice(-maxClaims))
  }

  delete(sessionId: string): Promise<void> {
    if (!this.#claims.delete(sessionId)) return Promise.resolve()
    return this.#keep(claims => without(claims, sessionId))
  }

  /** The claim that a token resumes. */
  resumable(sessionId: string, token: string): Claim | undefined {
    const claim = this.#claims.get(sessionId)
    if (claim === undefined) return undefined
    const hash = hashSecret(token)
    const isCurrent = isSameSecret(hash, claim.tokenHash)
    const isPrevious = claim.previousTokenHash !== undefined && isSameSecret(hash, claim.previousTokenHash)
    return isCurrent || isPrevious ? claim : undefined
  }

  /** Resolves once everything is kept that was set so far. */
  async settled(): Promise<void> {
    await this.ready
    await this.#work.settled()
  }

  async close(): Promise<void> {
    await this.settled()
    await this.#storage.release().catch(() => {})
  }

  #keep(change: (claims: readonly Claim[]) => Claim[]): Promise<void> {
    return this.#work
      .run(() => this.#storage.update(change))
      .catch(error => this.#log(`A claim could not be kept: ${error instanceof Error ? error.message : error}`))
  }
}

function without(claims: readonly Claim[], sessionId: string): Claim[] {
  return claims.filter(claim => claim.sessionId !== sessionId)
}
