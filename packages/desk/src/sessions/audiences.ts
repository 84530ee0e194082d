import type { Clock } from 'beckon'
import type { AskIndex } from '../index/ask-index.js'
import { type Token, tokensFor } from '../index/tokens.js'
import type { Session } from '../model/session.js'
import type { Person } from '../policy/audience.js'
import type { Sessions } from './sessions.js'
import { ToldNames } from './told-names.js'

export interface AudiencesOptions {
  readonly sessions: Sessions
  readonly index: AskIndex
  readonly clock: Clock
}

interface Followed {
  count: number
  readonly stop: () => void
}

/** How often it is looked for what hints were lost, and how far back. */
const lookEveryMs = 30_000
const lookBackMs = 90_000
const maxNews = 100
const maxTold = 20_000
/** Sessions of what was told that are read again at once. */
const maxAgain = 100

/**
 * The people who look at this node. What other nodes do about their asks is read here: a session that is in memory tells it
 * event by event; one that was read meanwhile is announced as it is now, once.
 */
export class Audiences {
  readonly #options: AudiencesOptions
  readonly #tokens = new Map<Token, Followed>()
  readonly #listeners = new Set<(session: Session) => void>()
  readonly #reading = new Map<string, { again: boolean }>()
  readonly #told: ToldNames
  readonly #stops: readonly (() => void)[]
  #stopTimer: () => void

  constructor(options: AudiencesOptions) {
    const { sessions, clock } = options
    this.#options = options
    this.#told = new ToldNames({
      isFollowed: token => this.#tokens.has(token),
      now: () => clock.now(),
      keepMs: lookBackMs,
      max: maxTold,
    })
    this.#stops = [
      sessions.listen(told => this.#told.happened(told)),
      // What happened once may happen again, under the same name.
      sessions.onReset(() => this.#told.clear()),
      // What a hint was lost of has no new name, maybe.
      sessions.hints.onLost(() => this.#told.clear()),
    ]
    this.#stopTimer = this.#lookLater()
  }

  /** Tells of a session in which something happened elsewhere, and that was not in memory when it did. */
  onAnnounced(listener: (session: Session) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Someone looks, until what comes back is called. */
  follow(person: Person): () => void {
    const tokens = tokensFor(person)
    for (const token of tokens) {
      const known = this.#tokens.get(token)
      if (known !== undefined) known.count++
      else this.#tokens.set(token, { count: 1, stop: this.#listen(token) })
    }
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      for (const token of tokens) {
        const known = this.#tokens.get(token)
        if (known === undefined || --known.count > 0) continue
        known.stop()
        this.#tokens.delete(token)
      }
    }
  }

  close(): void {
    this.#stopTimer()
    for (const stop of this.#stops) stop()
    for (const { stop } of this.#tokens.values()) stop()
    this.#tokens.clear()
    this.#listeners.clear()
  }

  #listen(token: Token): () => void {
    return this.#options.sessions.hints.onToken(token, session => void this.#read(session))
  }

  async #read(id: string): Promise<void> {
    const running = this.#reading.get(id)
    if (running !== undefined) {
      running.again = true
      return
    }
    const { sessions } = this.#options
    const reading = { again: true }
    this.#reading.set(id, reading)
    try {
      while (reading.again) {
        reading.again = false
        const { session, isUntold } = await sessions.refreshUntold(id)
        if (session === undefined) continue
        if (isUntold) for (const listener of this.#listeners) listener(session)
        this.#told.announced(session)
      }
    } catch {
      // The store is away: it is looked for again in a while.
    } finally {
      this.#reading.delete(id)
    }
  }

  #lookLater(): () => void {
    const { clock } = this.#options
    return clock.after(lookEveryMs, () => {
      this.#stopTimer = this.#lookLater()
      this.#look().catch(() => {})
    })
  }

  /**
   * Hints may be lost: what is new under the tokens that are followed is in the index. Of what was told, some is read all the
   * same: its log may have lost it since.
   */
  async #look(): Promise<void> {
    const { index, clock, sessions } = this.#options
    await sessions.lookAgain()
    const told = new Map<string, number>()
    for (const token of [...this.#tokens.keys()])
      for (const name of await index.news(token, clock.now() - lookBackMs, maxNews)) {
        if (this.#told.has(name)) told.set(name.session, name.at)
        else await this.#read(name.session)
      }
    const newest = [...told].sort(([, a], [, b]) => b - a).slice(0, maxAgain)
    for (const [session] of newest) await this.#read(session)
  }
}
