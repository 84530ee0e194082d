import { asksChannel, type Dialect, dialects } from '@beckon/core/live'
import type { Clock } from 'beckon'
import { type Token, tokensFor } from '../index/tokens.js'
import type { Person } from '../policy/audience.js'
import type { Connection, Subscription } from './connection.js'

interface Ghost {
  readonly dialect: Dialect
  readonly channels: ReadonlyMap<string, Subscription>
  /** Under which it was told of asks. */
  readonly tokens: readonly Token[]
  readonly stopTimer: () => void
}

export interface SubscribersOptions {
  readonly clock: Clock
  /** A channel is listened to now, or not any more, by anyone here or who may come back. */
  readonly onFollowed: (channel: string, dialect: Dialect) => void
  readonly onLeft: (channel: string, dialect: Dialect) => void
}

/** Who is told of asks under a token. */
interface Asked {
  readonly here: Set<Connection>
  /** How many may come back. */
  away: number
}

const nobody: ReadonlySet<Connection> = new Set()
const nowhere: ReadonlyMap<Dialect, unknown> = new Map()
/** So long what was missed is kept for a client whose connection was lost, for so many of them. */
const comesBackMs = 60_000
const maxGhosts = 1_000

/** Who listens to which channel, by dialect, so that what they are told is written once for all of them. */
export class Subscribers {
  readonly #options: SubscribersOptions
  readonly #channels: Record<Dialect, Map<string, Set<Connection>>> = byDialect()
  /** Those who listen to the channel of all asks, by the tokens of what they may be told there; none where all of them may come back. */
  readonly #askedBy: Record<Dialect, Map<Token, Asked>> = byDialect()
  /** Clients that may come back, by their key. */
  readonly #ghosts = new Map<string, Ghost>()
  /** How many listen to a channel or may come back to it, by channel and dialect. Most sessions have nobody. */
  readonly #followers = new Map<string, Map<Dialect, number>>()

  constructor(options: SubscribersOptions) {
    this.#options = options
  }

  of(channel: string, dialect: Dialect): ReadonlySet<Connection> {
    return this.#channels[dialect].get(channel) ?? nobody
  }

  /** Those who listen to the channel of all asks under one of some tokens; undefined when nobody does, nor may come back. */
  underTokens(tokens: ReadonlySet<Token>, dialect: Dialect): ReadonlySet<Connection> | undefined {
    let found: ReadonlySet<Connection> | undefined
    for (const token of tokens) {
      const here = this.#askedBy[dialect].get(token)?.here
      if (here !== undefined) found = found === undefined ? here : new Set([...found, ...here])
    }
    return found
  }

  /** The dialects in which anyone listens, or may come back. */
  followedIn(channel: string): ReadonlyMap<Dialect, unknown> {
    return this.#followers.get(channel) ?? nowhere
  }

  /** A connection that has not said who it is has no dialect, and cannot listen; nor can one that ended meanwhile. */
  add(channel: string, connection: Connection, subscription: Subscription): void {
    if (connection.client === undefined || connection.isOver || connection.subscriptions.has(channel)) {
      subscription.stop()
      return
    }
    const { dialect } = connection.client
    const channels = this.#channels[dialect]
    const listeners = channels.get(channel) ?? new Set()
    channels.set(channel, listeners.add(connection))
    if (channel === asksChannel)
      for (const token of tokensFor(connection.viewer)) this.#under(token, dialect, asked => asked.here.add(connection))
    connection.subscriptions.set(channel, subscription)
    this.#follow(channel, dialect)
  }

  remove(channel: string, connection: Connection): void {
    const subscription = this.#take(channel, connection)
    if (subscription === undefined || connection.client === undefined) return
    subscription.stop()
    this.#leave(channel, connection.client.dialect)
  }

  /** A connection is over. Its client may come back: until then, what it listened to is kept. */
  leave(connection: Connection, key: string | undefined): void {
    const { client } = connection
    if (client === undefined) return
    if (key === undefined || connection.subscriptions.size === 0) {
      for (const channel of [...connection.subscriptions.keys()]) this.remove(channel, connection)
      return
    }
    this.#release(key)
    const channels = new Map<string, Subscription>()
    const tokens = connection.subscriptions.has(asksChannel) ? tokensFor(connection.viewer) : []
    for (const token of tokens) this.#under(token, client.dialect, asked => asked.away++)
    for (const channel of [...connection.subscriptions.keys()]) {
      const subscription = this.#take(channel, connection)
      if (subscription !== undefined) channels.set(channel, subscription)
    }
    const stopTimer = this.#options.clock.after(comesBackMs, () => this.#release(key))
    this.#ghosts.set(key, { dialect: client.dialect, channels, tokens, stopTimer })
    const [oldest] = this.#ghosts.keys()
    if (this.#ghosts.size > maxGhosts && oldest !== undefined) this.#release(oldest)
  }

  /** Whether a client left from here a moment ago. */
  isAwaited(key: string): boolean {
    return this.#ghosts.has(key)
  }

  /**
   * Since which number a client that left from here a moment ago had a channel; undefined when it did not have all of it, or
   * its person is in groups by now whose asks were not kept for them.
   */
  leftWith(key: string, channel: string, dialect: Dialect, person: Person): number | undefined {
    const ghost = this.#ghosts.get(key)
    const had = ghost?.dialect === dialect ? ghost.channels.get(channel) : undefined
    if (channel === asksChannel && !tokensFor(person).every(token => ghost?.tokens.includes(token))) return undefined
    return had?.isPartial ? undefined : had?.from
  }

  /** A client that left is back: what it listens to now is its connection's. */
  back(key: string): void {
    this.#release(key)
  }

  /** A channel is gone. */
  drop(channel: string): void {
    for (const dialect of dialects)
      for (const connection of [...this.of(channel, dialect)]) this.remove(channel, connection)
  }

  close(): void {
    for (const key of [...this.#ghosts.keys()]) this.#release(key)
  }

  #take(channel: string, connection: Connection): Subscription | undefined {
    const subscription = connection.subscriptions.get(channel)
    connection.subscriptions.delete(channel)
    if (connection.client === undefined) return subscription
    const channels = this.#channels[connection.client.dialect]
    const listeners = channels.get(channel)
    listeners?.delete(connection)
    if (listeners?.size === 0) channels.delete(channel)
    const { dialect } = connection.client
    if (channel === asksChannel)
      for (const token of tokensFor(connection.viewer))
        this.#under(token, dialect, asked => asked.here.delete(connection))
    return subscription
  }

  /** Changes who is told of asks under a token. */
  #under(token: Token, dialect: Dialect, change: (asked: Asked) => unknown): void {
    const askedBy = this.#askedBy[dialect]
    const asked = askedBy.get(token) ?? { here: new Set(), away: 0 }
    change(asked)
    if (asked.here.size + asked.away > 0) askedBy.set(token, asked)
    else askedBy.delete(token)
  }

  #release(key: string): void {
    const ghost = this.#ghosts.get(key)
    if (ghost === undefined) return
    this.#ghosts.delete(key)
    ghost.stopTimer()
    for (const token of ghost.tokens) this.#under(token, ghost.dialect, asked => asked.away--)
    for (const [channel, { stop }] of ghost.channels) {
      stop()
      this.#leave(channel, ghost.dialect)
    }
  }

  #follow(channel: string, dialect: Dialect): void {
    const followers = this.#followers.get(channel) ?? new Map<Dialect, number>()
    const count = followers.get(dialect) ?? 0
    this.#followers.set(channel, followers.set(dialect, count + 1))
    if (count === 0) this.#options.onFollowed(channel, dialect)
  }

  #leave(channel: string, dialect: Dialect): void {
    const followers = this.#followers.get(channel)
    const count = (followers?.get(dialect) ?? 0) - 1
    if (count > 0) followers?.set(dialect, count)
    else {
      followers?.delete(dialect)
      if (followers?.size === 0) this.#followers.delete(channel)
      this.#options.onLeft(channel, dialect)
    }
  }
}

function byDialect<T>(): Record<Dialect, Map<string, T>> {
  return { '0.3': new Map(), '0.6': new Map(), '0.9': new Map(), '1.0': new Map() }
}
