// Tokens of servers that admins make and take back while the desk runs. They are one small log, which every node keeps up with: of
// each token a digest, which is of no use to who reads the store, since a token is too long to be guessed.
//
// A token that this node does not know is looked up before it is refused, and one that it knows is looked at again within a
// second: so a new one is good at once on every node, and one that was taken back is good nowhere a second later, hint or not.
import { randomBytes } from 'node:crypto'
import type { Clock } from 'beckon'
import { digestOf } from 'beckon/sign-in/adapter'
import type { Store } from 'beckon/store'
import { WatchedLog } from '../watched-log/watched-log.js'

/** A token as admins see it: never the token itself. */
export interface ServerToken {
  /** The beginning of its digest. */
  readonly id: string
  readonly server: string
  /** Milliseconds, as is the other. */
  readonly createdAt: number
  /** Until when one that was replaced is still good. */
  readonly until?: number
}

/** A token that was just made: it is shown this once. */
export interface NewServerToken extends ServerToken {
  readonly token: string
}

interface KnownToken extends ServerToken {
  readonly digest: string
}

/** A token that nobody has yet. */
interface DraftToken {
  readonly kept: KnownToken
  readonly shown: NewServerToken
}

type TokenEvent =
  | { readonly type: 'added'; readonly token: KnownToken }
  | { readonly type: 'ends'; readonly id: string; readonly until: number }
  | { readonly type: 'removed'; readonly id: string }

type TokenMap = ReadonlyMap<string, KnownToken>

export interface StoredTokensOptions {
  readonly store: Store
  readonly clock: Clock
}

/** Marks our own, so that other tokens in the same header are not looked for. */
const prefix = 'bks_'
const wellFormed = /^bks_[\w-]{43}$/
const recheckMs = 1_000
const maxTokens = 10_000

export class StoredTokens {
  readonly #clock: Clock
  readonly #log: WatchedLog<TokenMap, TokenEvent, KnownToken>
  #readAt = Number.NEGATIVE_INFINITY

  constructor({ store, clock }: StoredTokensOptions) {
    this.#clock = clock
    this.#log = new WatchedLog({
      store,
      name: 'server-tokens',
      clock,
      empty: new Map(),
      reduce,
      itemsOf: tokens => [...tokens.values()],
      fromItems: tokens => new Map(tokens.map(token => [token.id, token])),
      pieceItems: 100,
    })
  }

  /** Whose token this is. Rejects when that cannot be found out. */
  async serverOf(token: string): Promise<string | undefined> {
    if (!wellFormed.test(token)) return undefined
    const digest = digestOf(token)
    const known = this.#find(await this.#log.known(), digest)
    const now = this.#clock.now()
    if (known !== undefined && now - this.#readAt < recheckMs) return known.server
    const found = this.#find(await this.#log.read(), digest)
    this.#readAt = now
    return found?.server
  }

  /** Those that are good, as they are in the store now. */
  async list(): Promise<ServerToken[]> {
    const all = [...(await this.#log.read()).values()]
    return all.filter(token => this.#isGood(token)).map(({ digest: _, ...token }) => token)
  }

  /** A token for a server, which is good once it was added or has replaced another. */
  draft(server: string): DraftToken {
    const token = `${prefix}${randomBytes(32).toString('base64url')}`
    const digest = digestOf(token)
    const about = { id: digest.slice(0, 12), server, createdAt: this.#clock.now() }
    return { kept: { ...about, digest }, shown: { ...about, token } }
  }

  /** Adds a token; undefined when its server has one, which is rotated instead, or there are too many. */
  add(made: DraftToken): Promise<NewServerToken | undefined> {
    const { server } = made.kept
    return this.#log.write<NewServerToken | undefined>(tokens => {
      const good = [...tokens.values()].filter(token => this.#isGood(token))
      if (good.length >= maxTokens || good.some(token => token.server === server))
        return { events: [], result: undefined }
      return { events: [...this.#over(tokens), { type: 'added', token: made.kept }], result: made.shown }
    })
  }

  /** Puts a token beside the one that its server has, which stays good for so long; undefined when it has none. */
  rotate(made: DraftToken, graceMs: number): Promise<NewServerToken | undefined> {
    const { server } = made.kept
    const until = this.#clock.now() + graceMs
    return this.#log.write<NewServerToken | undefined>(tokens => {
      const old = [...tokens.values()].filter(token => token.server === server && this.#isGood(token))
      if (old.length === 0) return { events: [], result: undefined }
      const ends = old.map(({ id, until: before = until }): TokenEvent => {
        return graceMs === 0 ? { type: 'removed', id } : { type: 'ends', id, until: Math.min(until, before) }
      })
      return { events: [...ends, { type: 'added', token: made.kept }], result: made.shown }
    })
  }

  /** Takes back the tokens of a server; gives how many there were. */
  revoke(server: string): Promise<number> {
    return this.#log.write<number>(tokens => {
      const old = [...tokens.values()].filter(token => token.server === server)
      return { events: old.map(({ id }) => ({ type: 'removed', id })), result: old.length }
    })
  }

  close(): Promise<void> {
    return this.#log.close()
  }

  #find(tokens: TokenMap, digest: string): KnownToken | undefined {
    const token = tokens.get(digest.slice(0, 12))
    return token?.digest === digest && this.#isGood(token) ? token : undefined
  }

  #isGood({ until }: KnownToken): boolean {
    return until === undefined || until > this.#clock.now()
  }

  #over(tokens: TokenMap): TokenEvent[] {
    return [...tokens.values()].filter(token => !this.#isGood(token)).map(({ id }) => ({ type: 'removed', id }))
  }
}

function reduce(tokens: TokenMap, event: TokenEvent): TokenMap {
  const next = new Map(tokens)
  if (event.type === 'added') return next.set(event.token.id, event.token)
  if (event.type === 'removed') return next.delete(event.id) ? next : tokens
  const known = next.get(event.id)
  return known === undefined ? tokens : next.set(event.id, { ...known, until: event.until })
}
