// Threats: a session that was planted before its owner signed in (each sign-in gets a new secret), one that is used from
// another page (`cookieRefusal`), one that lives for ever (it ends when unused, and after a while in any case), one that
// is read out of memory or a store (only digests are there).
// Not defended: whoever can read the browser's cookies is that person until the session ends. Groups are those of the
// moment of sign-in. Wrong cookies are not counted as guesses: a browser sends an old one with every request.

import type { Clock } from 'beckon'
import type { Person } from '../../policy/audience.js'
import type { AccessRequest, AccessResponse, Admitted, Header } from '../access.js'
import { cookieRefusal } from '../guard/guard.js'
import { page } from '../respond.js'
import { isSecret, newSecret, type Random } from '../secret.js'
import { type CookiePlace, clearCookie, readCookie, setCookie } from './cookies.js'
import { deviceCookie, deviceOf } from './device.js'
import type { FoundSession, SessionRecords } from './session-records.js'

/** A session is written again at most this often for being used. */
const rollEveryMs = 60_000

export interface CookieSessionsOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  readonly records: SessionRecords
  /** How long a session lives unused. */
  readonly idleMs: number
  /** How long a session lives at most. */
  readonly maxMs: number
  readonly publicOrigin?: string | undefined
}

export class CookieSessions {
  readonly #options: CookieSessionsOptions
  readonly #place: CookiePlace

  constructor(options: CookieSessionsOptions) {
    this.#options = options
    this.#place = { kind: 'session', publicOrigin: options.publicOrigin }
  }

  /** Begins a session, in place of the one that the browser had, and gives the cookies that it needs. */
  async begin(request: AccessRequest, person: Person): Promise<Header[]> {
    const { clock, random, records, idleMs, maxMs, publicOrigin } = this.#options
    const old = this.#secretOf(request)
    if (old !== undefined) await records.remove(old)
    const secret = newSecret(random)
    const startedAt = clock.now()
    await records.add(secret, { person, startedAt, expiresAt: startedAt + Math.min(idleMs, maxMs) })
    return [setCookie(request, this.#place, secret, maxMs), ...deviceCookie(request, random, publicOrigin)]
  }

  async find(request: AccessRequest): Promise<Admitted | undefined> {
    const { clock, records, idleMs, maxMs, publicOrigin } = this.#options
    const secret = this.#secretOf(request)
    if (secret === undefined || cookieRefusal(request, publicOrigin) !== undefined) return undefined
    const found = await records.find(secret)
    if (found === undefined || found.record.expiresAt <= clock.now()) return undefined
    const { person, startedAt } = found.record
    const endsAt = startedAt + maxMs
    await this.#roll(found, Math.min(clock.now() + idleMs, endsAt))
    const device = deviceOf(request, person.principal, publicOrigin)
    return { ...person, device, expiresAt: endsAt, stillValid: () => this.#isGood(secret) }
  }

  /** Ends the session on a POST from our own page; a GET gets a page with a button for that. */
  async signOut(request: AccessRequest): Promise<AccessResponse> {
    if (request.method === 'GET') {
      const text = 'You will need to sign in again to see and answer what the desk asks.'
      const button = { text: 'Sign out', path: request.path }
      return page(request, 200, { title: 'Sign out of the desk?', text, button })
    }
    const secret = this.#secretOf(request)
    const refused = request.method === 'POST' ? cookieRefusal(request, this.#options.publicOrigin) : 'Not a POST'
    if (refused !== undefined) {
      return page(request, 403, { title: refused, text: 'Sign out with the button on the desk’s own page.' })
    }
    if (secret !== undefined) await this.#options.records.remove(secret)
    return page(request, 200, { title: 'Signed out', text: 'You are signed out of this desk.' }, [
      clearCookie(request, this.#place),
    ])
  }

  close(): void {
    this.#options.records.close()
  }

  /** A page that is open uses its session. */
  async #isGood(secret: string): Promise<boolean> {
    const { clock, records, idleMs, maxMs } = this.#options
    const found = await records.find(secret)
    if (found === undefined || found.record.expiresAt <= clock.now()) return false
    await this.#roll(found, Math.min(clock.now() + idleMs, found.record.startedAt + maxMs))
    return true
  }

  async #roll(found: FoundSession, expiresAt: number): Promise<void> {
    if (expiresAt - found.record.expiresAt > Math.min(rollEveryMs, this.#options.idleMs / 10))
      await found.extend(expiresAt)
  }

  #secretOf(request: AccessRequest): string | undefined {
    const value = readCookie(request, this.#place)
    return value !== undefined && isSecret(value) ? value : undefined
  }
}
