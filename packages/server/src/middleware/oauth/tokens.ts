// The tokens of each person, in the server's store, which encrypts them wherever it leaves this process. Threat: tokens of
// one person used for another. A record is kept under the scope of its owner and names it. A refresh token is used by one
// process at a time: many servers take a second use for theft, and end the whole grant.
import type { CallInternals } from '../../author/call-internals.js'
import { digest } from '../../crypto/digest.js'
import type { JsonValue, Store, Version } from '../../store/index.js'
import { explain, isInvalidGrant } from './explain.js'
import { withLease } from './lease.js'
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

type Where = Pick<CallInternals, 'store' | 'clock' | 'waits'>

interface Kept {
  readonly tokens: Tokens
  readonly version: Version
}

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
    await store.set(this.#keyOf(owner), toJson(tokensFrom(grant, { owner, scopes, granted }, now)))
  }

  /** What the owner has, if anything. */
  async peek(store: Store, owner: string): Promise<Tokens | undefined> {
    return (await this.#read(store, owner))?.tokens
  }

  /** Tokens that are good for these scopes, refreshed where they have to be; undefined when the person has to sign in. */
  async usable(where: Where, owner: string, scopes: readonly string[]): Promise<Tokens | undefined> {
    const kept = await this.#read(where.store, owner)
    if (kept === undefined || !scopes.every(scope => kept.tokens.scopes.includes(scope))) return undefined
    return isFresh(kept.tokens, where.clock.now()) ? kept.tokens : this.#refreshOnce(where, owner)
  }

  /** The API refused the access token: it is refreshed before its next use, or forgotten where it cannot be. */
  async invalidate({ store }: Where, owner: string): Promise<void> {
    const kept = await this.#read(store, owner)
    if (kept === undefined) return
    if (kept.tokens.refreshToken === null) await this.#forget(store, owner, kept)
    else await store.compareAndSet(this.#keyOf(owner), kept.version, toJson({ ...kept.tokens, expiresAt: 0 }))
  }

  async forget(store: Store, owner: string): Promise<void> {
    await store.delete(this.#keyOf(owner))
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
    const leaseMs = this.#provider.longestMs + graceMs
    return withLease({ where, key: `${this.#keyOf(owner)}/refreshing`, leaseMs }, () => this.#renew(where, owner))
  }

  async #renew({ store, clock }: Where, owner: string): Promise<Tokens | undefined> {
    const kept = await this.#read(store, owner)
    if (kept === undefined || isFresh(kept.tokens, clock.now())) return kept?.tokens
    const { refreshToken, scopes, granted } = kept.tokens
    if (refreshToken === null) {
      await this.#forget(store, owner, kept)
      return undefined
    }
    try {
      const grant = await this.#provider.refresh(refreshToken)
      const renewed = tokensFrom(
        { ...grant, refreshToken: grant.refreshToken ?? refreshToken },
        { owner, scopes, granted: grant.scopes ?? granted },
        clock.now(),
      )
      const written = await store.compareAndSet(this.#keyOf(owner), kept.version, toJson(renewed))
      // The person signed in anew, or out, in the meantime: that counts.
      return written === undefined ? await this.peek(store, owner) : renewed
    } catch (error) {
      if (!isInvalidGrant(error)) throw new Error(explain(error, this.#provider.host), { cause: error })
      await this.#forget(store, owner, kept)
      return undefined
    }
  }

  async #forget(store: Store, owner: string, { tokens, version }: Kept): Promise<void> {
    // Deleted only while it is what was looked at.
    await store.compareAndSet(this.#keyOf(owner), version, toJson(tokens), { expiresAt: 0 })
  }

  async #read(store: Store, owner: string): Promise<Kept | undefined> {
    const entry = await store.get(this.#keyOf(owner))
    // What is under this key, we wrote.
    const tokens = entry?.value as unknown as Tokens | undefined
    return entry === undefined || tokens?.owner !== owner ? undefined : { tokens, version: entry.version }
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

function toJson(tokens: Tokens): JsonValue {
  return { ...tokens, scopes: [...tokens.scopes], granted: [...tokens.granted] }
}
