// The tokens of each person, in the store, which encrypts them wherever it leaves this process. Threat: tokens of
// one person used for another. A record is kept under the scope of its owner and names it. A refresh token is used by one
// process at a time: many servers take a second use for theft, and end the whole grant.
import type { CallInternals, People } from '../../author/call-internals.js'
import { digest } from '../../crypto/digest.js'
import { Cell } from '../../store/handles/index.js'
import type { Store } from '../../store/index.js'
import { withLease } from '../with-lease.js'
import { explain, isInvalidGrant } from './explain.js'
import type { Grant, Provider } from './provider.js'

/** What is kept for one person. */
export interface Tokens {
  readonly owner: string
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly expiresAt: number | null
  /** What was granted, and what was asked for: a scope that was refused once is not asked for on every call. */
  readonly scopes: readonly string[]
  /** What the provider says that it granted; what was asked for, where it does not say. */
  readonly granted: readonly string[]
}

type Where = People & Pick<CallInternals, 'clock'>

/** A token that is good for less than this is refreshed first. */
const skewMs = 30_000
/** What a process may take to refresh beside the time of the provider, before another does it. */
const graceMs = 15_000

export class TokenStore {
  readonly #provider: Provider
  readonly #purpose: readonly string[]
  /** Refreshes that are under way in this process, by store and key. */
  readonly #refreshing = new WeakMap<Store, Map<string, Promise<Tokens | undefined>>>()

  constructor(provider: Provider, purpose: readonly string[]) {
    this.#provider = provider
    this.#purpose = purpose
  }

  async save(store: Store, owner: string, grant: Grant, asked: readonly string[], now: number): Promise<void> {
    const granted = grant.scopes ?? asked
    const scopes = [...new Set([...asked, ...granted])]
    await this.#cell(store, owner).set(tokensFrom(grant, { owner, scopes, granted }, now))
  }

  /** What the owner has, if anything. */
  async peek(store: Store, owner: string): Promise<Tokens | undefined> {
    const tokens = await this.#cell(store, owner).get()
    return tokens?.owner === owner ? tokens : undefined
  }

  /** Tokens that are good for these scopes, refreshed where they have to be; undefined when the person has to sign in. */
  async usable(where: Where, owner: string, scopes: readonly string[]): Promise<Tokens | undefined> {
    const kept = await this.peek(where.store, owner)
    if (kept === undefined || !scopes.every(scope => kept.scopes.includes(scope))) return undefined
    return isFresh(kept, where.clock.now()) ? kept : this.#refreshOnce(where, owner)
  }

  /** The API refused the access token: it is refreshed before its next use, or forgotten where it cannot be. */
  async invalidate({ store }: Where, owner: string): Promise<void> {
    await this.#cell(store, owner).update(kept => {
      if (kept?.owner !== owner) return { result: undefined }
      if (kept.refreshToken === null) return { isRemoved: true, result: undefined }
      return { value: { ...kept, expiresAt: 0 }, result: undefined }
    })
  }

  async forget(store: Store, owner: string): Promise<void> {
    await this.#cell(store, owner).delete()
  }

  /** Calls at the same time share one refresh. */
  #refreshOnce(where: Where, owner: string): Promise<Tokens | undefined> {
    const all = this.#refreshing.get(where.store) ?? new Map<string, Promise<Tokens | undefined>>()
    this.#refreshing.set(where.store, all)
    const key = this.#keyOf(owner)
    const running = all.get(key) ?? this.#refresh(where, owner).finally(() => all.delete(key))
    all.set(key, running)
    return running
  }

  #refresh(where: Where, owner: string): Promise<Tokens | undefined> {
    const leaseMs = this.#provider.maxMs + graceMs
    return withLease({ where, key: `${this.#keyOf(owner)}/refreshing`, leaseMs }, () => this.#renew(where, owner))
  }

  async #renew({ store, clock }: Where, owner: string): Promise<Tokens | undefined> {
    const kept = await this.peek(store, owner)
    if (kept === undefined || isFresh(kept, clock.now())) return kept
    const { refreshToken, scopes, granted } = kept
    if (refreshToken === null) return this.#replace(store, kept, undefined)
    try {
      const grant = await this.#provider.refresh(refreshToken)
      const renewed = tokensFrom(
        { ...grant, refreshToken: grant.refreshToken ?? refreshToken },
        { owner, scopes, granted: grant.scopes ?? granted },
        clock.now(),
      )
      return await this.#replace(store, kept, renewed)
    } catch (error) {
      if (!isInvalidGrant(error)) throw new Error(explain(error, this.#provider.host), { cause: error })
      return this.#replace(store, kept, undefined)
    }
  }

  /** Only while it is what was looked at: a person who signed in anew, or out, in the meantime, did that. */
  #replace(store: Store, kept: Tokens, next: Tokens | undefined): Promise<Tokens | undefined> {
    return this.#cell(store, kept.owner).update<Tokens | undefined>(current => {
      if (current === undefined || digest(current) !== digest(kept))
        return { result: next === undefined ? undefined : current }
      return next === undefined ? { isRemoved: true, result: undefined } : { value: next, result: next }
    })
  }

  #cell(store: Store, owner: string): Cell<Tokens> {
    return new Cell(store, this.#keyOf(owner))
  }

  #keyOf(owner: string): string {
    return `oauth/${digest([...this.#purpose, owner])}`
  }
}

function isFresh({ expiresAt }: Tokens, now: number): boolean {
  return expiresAt === null || expiresAt - skewMs > now
}

function tokensFrom(grant: Grant, whose: Pick<Tokens, 'owner' | 'scopes' | 'granted'>, now: number): Tokens {
  const { accessToken, refreshToken = null, expiresInMs } = grant
  const expiresAt = expiresInMs === undefined ? null : now + expiresInMs
  return { ...whose, accessToken, refreshToken, expiresAt }
}
