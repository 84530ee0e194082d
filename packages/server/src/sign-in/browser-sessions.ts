// Threats: a session that was planted before its owner signed in (each sign-in gets a new secret), one that is used from
// another page (`isForeign`), one that lives for ever (it ends when unused, and after a while in any case), one that
// is read out of memory or a store (only digests are there).
// Not defended: anyone who can read the browser's cookies is that person until the session ends. What is known of the person is
// that of the moment of sign-in. Wrong cookies are not counted as guesses: a browser sends an old one with every request.

import type { Clock } from '../runtime/clock.js'
import type { BrowserRequest, Header } from './browser-request.js'
import { type CookiePlace, clearCookie, readCookie, setCookie } from './cookies.js'
import { isSecret, newSecret, type Random } from './secret.js'
import type { FoundSession, SessionRecords } from './session-records.js'
import type { UsedSecrets } from './used-secrets.js'

/** A session is written again at most this often for being used. */
const rollEveryMs = 60_000

export interface BrowserSessionsOptions<Person> {
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  readonly records: SessionRecords<Person>
  /** How long a session lives unused. */
  readonly idleMs: number
  /** How long a session lives at most. */
  readonly maxMs: number
  readonly cookie: CookiePlace
  /** Whether a request was not made by one of our own pages, nor by a person who follows a link: then its cookie does not count. */
  readonly isForeign: (request: BrowserRequest) => boolean
}

/** Someone who signed in. */
export interface SignedIn<Person> {
  readonly person: Person
  /** When the session ends in any case, in milliseconds. */
  readonly expiresAt: number
  /** Whether it still holds: someone may have signed out. A page that is open uses its session. */
  readonly stillValid: () => Promise<boolean>
}

/** Who is signed in, by a cookie. */
export class BrowserSessions<Person> {
  readonly #options: BrowserSessionsOptions<Person>

  constructor(options: BrowserSessionsOptions<Person>) {
    this.#options = options
  }

  /** What sessions were begun with, on any node that shares them. */
  get used(): UsedSecrets {
    return this.#options.records.used
  }

  /** Begins a session, in place of the one that the browser had, and gives the cookie that it needs. */
  async begin(request: BrowserRequest, person: Person): Promise<Header> {
    const { clock, random, records, idleMs, maxMs, cookie } = this.#options
    const old = this.#secretOf(request)
    if (old !== undefined) await records.remove(old)
    const secret = newSecret(random)
    const startedAt = clock.now()
    await records.add(secret, { person, startedAt, expiresAt: startedAt + Math.min(idleMs, maxMs) })
    return setCookie(request, cookie, secret, maxMs)
  }

  async find(request: BrowserRequest): Promise<SignedIn<Person> | undefined> {
    const secret = this.#options.isForeign(request) ? undefined : this.#secretOf(request)
    const found = secret === undefined ? undefined : await this.#findAndRoll(secret)
    if (secret === undefined || found === undefined) return undefined
    const { person, startedAt } = found
    const stillValid = async () => (await this.#findAndRoll(secret)) !== undefined
    return { person, expiresAt: startedAt + this.#options.maxMs, stillValid }
  }

  /** Ends the session of a browser, and gives the cookie that says so. */
  async end(request: BrowserRequest): Promise<Header> {
    const secret = this.#secretOf(request)
    if (secret !== undefined) await this.#options.records.remove(secret)
    return clearCookie(request, this.#options.cookie)
  }

  close(): void {
    this.#options.records.close()
  }

  async #findAndRoll(secret: string): Promise<FoundSession<Person>['record'] | undefined> {
    const { clock, records, idleMs, maxMs } = this.#options
    const found = await records.find(secret)
    if (found === undefined || found.record.expiresAt <= clock.now()) return undefined
    const expiresAt = Math.min(clock.now() + idleMs, found.record.startedAt + maxMs)
    if (expiresAt - found.record.expiresAt > Math.min(rollEveryMs, idleMs / 10)) await found.extend(expiresAt)
    return found.record
  }

  #secretOf(request: BrowserRequest): string | undefined {
    const value = readCookie(request, this.#options.cookie)
    return value !== undefined && isSecret(value) ? value : undefined
  }
}
