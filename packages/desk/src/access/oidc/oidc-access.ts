// Threats: a sign-in that another began (state, in a cookie of this browser), a code or a token that was caught on its way
// (PKCE, nonce, single use), an answer of another provider (issuer, RFC 9207), a token for another client (audience),
// a way back that leads elsewhere (exact redirect URI, `safePath`), a flood of callbacks (`Failures`).
// Not defended: someone who is removed at the provider stays until their session ends, `sessionMaxMs` at most. Signing out
// here does not sign out there.

import { systemClock } from 'beckon'
import type { Store } from 'beckon/store'
import type { Access, AccessOptions, AccessRequest, AccessResponse } from '../access.js'
import type { ClaimNames } from '../bearer/person-of.js'
import { algorithmsOf } from '../bearer/signatures.js'
import { param } from '../param.js'
import { page, redirect, wrongMethod } from '../respond.js'
import { safePath } from '../safe-path.js'
import { newSecret, systemRandom } from '../secret.js'
import { CookieSessions } from '../sessions/cookie-sessions.js'
import { setCookie } from '../sessions/cookies.js'
import { memoryRecords, storeRecords } from '../sessions/session-records.js'
import { type Attempt, attemptMs, encodeAttempt, proofsOf } from './attempt.js'
import { callback } from './callback.js'
import { type OwnAddress, ownAddress } from './own-address.js'
import { discovery } from './provider.js'

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

/**
 * Lets in whoever signs in at an OpenID provider.
 * @example
 * oidcAccess({ issuer: 'https://id.example', clientId: 'desk', publicUrl: 'https://desk.example' })
 */
export function oidcAccess(options: OidcAccessOptions): Access {
  const { issuer, clientId, clientSecret, store, onError = () => {} } = options
  const { clock = systemClock, random = systemRandom, scopes = ['openid', 'profile'] } = options
  const { sessionIdleMs = 8 * hourMs, sessionMaxMs = 24 * hourMs } = options
  const { publicOrigin, redirectUri, callbackPath } = ownAddress(options)
  const discover = discovery(issuer, clock)
  const records = store === undefined ? memoryRecords(clock) : storeRecords(store)
  const sessions = new CookieSessions({
    clock,
    random,
    records,
    publicOrigin,
    idleMs: sessionIdleMs,
    maxMs: sessionMaxMs,
  })
  const client = { clientId, clientSecret, redirectUri, algorithms: algorithmsOf(options.algorithms), clock }
  const comeBack = callback({ client, claims: options, discover, sessions, publicOrigin, onError })

  async function signIn(request: AccessRequest): Promise<AccessResponse> {
    if (request.method !== 'GET') return wrongMethod(request, 'GET')
    const next = nextOf(param(request, 'next'))
    if ((await sessions.find(request)) !== undefined) return redirect(next)
    const { authorizationEndpoint } = await discover()
    const attempt: Attempt = { secret: newSecret(random), startedAt: clock.now(), next }
    const { state, nonce, challenge } = proofsOf(attempt)
    const address = new URL(authorizationEndpoint)
    const params = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: [...new Set(['openid', ...scopes])].join(' '),
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(params)) address.searchParams.set(name, value)
    const cookie = setCookie(request, { kind: 'sign-in', publicOrigin }, encodeAttempt(attempt), attemptMs)
    return redirect(address.href, [cookie])
  }

  /** A way back that does not lead round in a circle. */
  function nextOf(text: string | undefined): string {
    const next = safePath(text)
    const [path = ''] = next.split(/[?#]/)
    return ['/sign-in', '/sign-out', callbackPath].includes(path) ? '/' : next
  }

  return {
    authenticate: request => sessions.find(request),
    async handle(request) {
      if (request.path === '/sign-in') return signIn(request)
      if (request.path === '/sign-out') return sessions.signOut(request)
      return request.path === callbackPath ? comeBack(request) : undefined
    },
    challenge(request) {
      const next = nextOf(request.query === '' ? request.path : `${request.path}?${request.query}`)
      const path = `/sign-in?next=${encodeURIComponent(next)}`
      if (request.method === 'GET' && request.header('sec-fetch-mode') === 'navigate') return redirect(path)
      const text = `Sign in with ${new URL(issuer).host} to use this desk.`
      return page(request, 401, { title: 'Not signed in', text, link: { text: 'Sign in', path } })
    },
    close: () => sessions.close(),
  }
}
