// Who is signed in to the desk, by a cookie, on which of their devices.
import { BrowserSessions, type BrowserSessionsOptions, type SignedIn } from 'beckon/sign-in/adapter'
import type { Person } from '../../policy/audience.js'
import type { AccessRequest, AccessResponse, Admitted, Header } from '../access.js'
import { cookieRefusal } from '../guard/guard.js'
import { page } from '../respond.js'
import { deviceCookie, deviceOf } from './device.js'

export interface CookieSessionsOptions extends Omit<BrowserSessionsOptions<Person>, 'cookie' | 'isForeign'> {
  readonly publicOrigin?: string | undefined
}

export class CookieSessions extends BrowserSessions<Person> {
  readonly #options: CookieSessionsOptions

  constructor(options: CookieSessionsOptions) {
    const { publicOrigin } = options
    super({
      ...options,
      cookie: { kind: 'session', publicOrigin },
      isForeign: request => cookieRefusal(request, publicOrigin) !== undefined,
    })
    this.#options = options
  }

  /** Gives a browser an id of its own, unless it has one. */
  deviceCookie(request: AccessRequest): Header[] {
    return deviceCookie(request, this.#options.random, this.#options.publicOrigin)
  }

  async viewer(request: AccessRequest): Promise<Admitted | undefined> {
    const found: SignedIn<Person> | undefined = await this.find(request)
    if (found === undefined) return undefined
    const { person, expiresAt, stillValid } = found
    return { ...person, device: deviceOf(request, person.principal, this.#options.publicOrigin), expiresAt, stillValid }
  }

  /** Ends the session on a POST from our own page; a GET gets a page with a button for that. */
  async signOut(request: AccessRequest): Promise<AccessResponse> {
    if (request.method === 'GET') {
      const text = 'You will need to sign in again to see and answer what the desk asks.'
      const button = { text: 'Sign out', path: request.path }
      return page(request, 200, { title: 'Sign out of the desk?', text, button })
    }
    const refused = request.method === 'POST' ? cookieRefusal(request, this.#options.publicOrigin) : 'Not a POST'
    if (refused !== undefined) {
      return page(request, 403, { title: refused, text: 'Sign out with the button on the desk’s own page.' })
    }
    const cookie = await this.end(request)
    return page(request, 200, { title: 'Signed out', text: 'You are signed out of this desk.' }, [
      cookie,
      // What the inbox keeps there: drafts that wait for the desk, and the device's subscription to notifications.
      ['Clear-Site-Data', '"storage"'],
    ])
  }
}
