// People sign in as on the pages of a server: the same code, so the same threats (`beckon/sign-in/adapter`), and the same
// principal for the same person.
import { systemClock } from 'beckon'
import {
  algorithmsOf,
  issuerAt,
  memoryRecords,
  openIdSignIn,
  type Responder,
  signInNeeds,
  storeRecords,
  systemRandom,
} from 'beckon/sign-in/adapter'
import type { Store } from 'beckon/store'
import type { Person } from '../../policy/audience.js'
import type { Access, AccessOptions, AccessResponse } from '../access.js'
import { type ClaimNames, personOf } from '../bearer/person-of.js'
import { page, redirect, refusedPage, tooMany, wrongMethod } from '../respond.js'
import { CookieSessions } from '../sessions/cookie-sessions.js'
import { type OwnAddress, ownAddress } from './own-address.js'

const hourMs = 60 * 60 * 1000

export interface OidcAccessOptions extends AccessOptions, ClaimNames, OwnAddress {
  /** The provider's own name for itself: its URL, exactly. */
  readonly issuer: string
  readonly clientId: string
  /** Absent for a public client; PKCE is used in any case. */
  readonly clientSecret?: string
  /** Default: `openid` and `profile`. */
  readonly scopes?: readonly string[]
  /** What an ID token may be signed with. Default: all with a public and a private key. */
  readonly algorithms?: readonly string[]
  /** Where sessions are kept, for a desk on several nodes. Default: in memory. */
  readonly store?: Store
  /** How long a session lives unused. Default: 8 hours. */
  readonly sessionIdleMs?: number
  /** How long a session lives at most. Default: 24 hours. */
  readonly sessionMaxMs?: number
  /** Told why a sign-in failed; the person is not. */
  readonly onError?: (error: unknown) => void
}

const paths = { signIn: '/sign-in', signOut: '/sign-out' }

const respond: Responder<AccessResponse> = {
  redirect,
  wrongMethod,
  tooMany,
  failed: (request, status, { text, again }) =>
    page(request, status, { title: 'You are not signed in', text, link: { text: 'Sign in again', path: again } }),
}

/**
 * Lets in anyone who signs in at an OpenID provider.
 * @example
 * oidcAccess({ issuer: 'https://id.example', clientId: 'desk', publicUrl: 'https://desk.example' })
 */
export function oidcAccess(options: OidcAccessOptions): Access {
  const { clientId, clientSecret, store, onError = () => {} } = options
  const { clock = systemClock, random = systemRandom, scopes = ['openid', 'profile'] } = options
  const { sessionIdleMs = 8 * hourMs, sessionMaxMs = 24 * hourMs } = options
  const { publicOrigin, redirectUri, callbackPath } = ownAddress(options)
  const issuer = issuerAt(options.issuer, { clock, needs: signInNeeds, onError })
  const records =
    store === undefined
      ? memoryRecords<Person>(clock)
      : storeRecords<Person>(store, undefined, ({ principal }) => principal)
  const lives = { idleMs: sessionIdleMs, maxMs: sessionMaxMs }
  const sessions = new CookieSessions({ clock, random, records, publicOrigin, ...lives })
  const algorithms = algorithmsOf(options.algorithms)
  const signIn = openIdSignIn({
    client: { issuer, clientId, clientSecret, redirectUri, algorithms, clock },
    scopes,
    random,
    sessions,
    cookie: { kind: 'sign-in', publicOrigin },
    paths,
    personOf: claims => personOf(claims, options),
    respond,
    more: request => sessions.deviceCookie(request),
    onError,
  })

  return {
    authenticate: request => sessions.viewer(request),
    async handle(request) {
      if (request.path === paths.signIn) return signIn.leave(request)
      if (request.path === paths.signOut) return sessions.signOut(request)
      return request.path === callbackPath ? signIn.comeBack(request) : undefined
    },
    challenge(request) {
      const path = signIn.addressFor(request)
      if (request.method === 'GET' && request.header('sec-fetch-mode') === 'navigate') return redirect(path)
      const params = { way: 'provider', host: new URL(issuer.url).host } as const
      const about = { title: 'Not signed in', link: { text: 'Sign in', path } }
      return refusedPage(request, { code: 'sign-in-required', params }, about)
    },
    sessions: records.owned,
    close: () => sessions.close(),
  }
}
