// Threats: a sign-in that another began (state, in a cookie of this browser), a code or a token that was caught on its way
// (PKCE, nonce, single use), an answer of another provider (issuer, RFC 9207), a token for another client (audience),
// a way back that leads elsewhere (exact redirect URI, `safePath`), a flood of callbacks (`Failures`).
// Not defended: someone who is removed at the provider stays until their session ends, at most for as long as one lasts.
// Signing out here does not sign out there. Of several tabs that sign in at once, the last one goes where it wanted.
import type { JWTPayload } from 'jose'
import type { IssuerOptions } from '../auth/issuer.js'
import { attemptMs, encodeAttempt, proofsOf } from './attempt.js'
import type { BrowserRequest, Header } from './browser-request.js'
import { param } from './browser-request.js'
import type { BrowserSessions } from './browser-sessions.js'
import { callback, SignInFailed } from './callback.js'
import { type CookiePlace, clearCookie, setCookie } from './cookies.js'
import { type Client, IdTokenError } from './exchange-code.js'
import { Failures } from './failures.js'
import { safePath } from './safe-path.js'
import { newSecret, type Random } from './secret.js'

/** What a provider has to have for that. */
export const signInNeeds: IssuerOptions['needs'] = ['authorization_endpoint', 'token_endpoint', 'jwks_uri']

/** How the code that signs people in answers browsers. */
export interface Responder<Response> {
  /** Sends a browser elsewhere, by GET. */
  redirect(location: string, headers?: readonly Header[]): Response
  /** They are not signed in, for this reason; the link leads to another attempt. */
  failed(request: BrowserRequest, status: number, failure: { readonly text: string; readonly again: string }): Response
  wrongMethod(request: BrowserRequest, allowed: string): Response
  /** Too many attempts from there came to nothing. */
  tooMany(request: BrowserRequest, waitMs: number): Response
}

export interface OpenIdSignInOptions<Person, Response> {
  readonly client: Client
  readonly scopes: readonly string[]
  /**
   * The claims that are needed of a person: those that the ID token lacks are looked for at the provider's userinfo endpoint, and
   * `onError` is told, once, of one that is not there either. Default: all that are there, at every sign-in.
   */
  readonly claims?: readonly string[] | undefined
  readonly random: Random
  readonly sessions: BrowserSessions<Person>
  /** Where an attempt is kept in a browser. */
  readonly cookie: CookiePlace
  /** Paths of ours. The one to come back at is in `client.redirectUri`. */
  readonly paths: { readonly signIn: string; readonly signOut: string }
  /** Who verified claims are about; undefined when they do not say. */
  readonly personOf: (claims: JWTPayload) => Person | undefined
  readonly respond: Responder<Response>
  /** What else a browser is given that has signed in. */
  readonly more?: ((request: BrowserRequest) => readonly Header[]) | undefined
  /** Told why a sign-in failed; the person is not. */
  readonly onError: (error: unknown) => void
}

/** Signing in at an OpenID provider, by the browser, for whatever has pages. */
export interface OpenIdSignIn<Response> {
  /** The address that leads to the provider, and then back to the one that a request is for. */
  addressFor(request: BrowserRequest): string
  /** Leaves for the provider. Rejects when it cannot be asked. */
  leave(request: BrowserRequest): Promise<Response>
  /** Comes back from there. Rejects when it cannot be asked. */
  comeBack(request: BrowserRequest): Promise<Response>
}

export function openIdSignIn<Person, Response>(options: OpenIdSignInOptions<Person, Response>): OpenIdSignIn<Response> {
  const { client, sessions, cookie, paths, respond, random } = options
  const { clock, redirectUri, issuer } = client
  const failures = new Failures(clock)
  const read = callback({ client, cookie, used: sessions.used, claims: options.claims, onError: options.onError })
  const own = [paths.signIn, paths.signOut, new URL(redirectUri).pathname]

  /** A way back that does not lead round in a circle. */
  function nextOf(text: string | undefined): string {
    const next = safePath(text)
    return own.includes(next.split(/[?#]/)[0] ?? '') ? '/' : next
  }

  function addressFor({ path, query }: BrowserRequest): string {
    const next = nextOf(query === '' ? path : `${path}?${query}`)
    return `${paths.signIn}?next=${encodeURIComponent(next)}`
  }

  async function leave(request: BrowserRequest): Promise<Response> {
    if (request.method !== 'GET') return respond.wrongMethod(request, 'GET')
    const next = nextOf(param(request, 'next'))
    if ((await sessions.find(request)) !== undefined) return respond.redirect(next)
    const address = (await issuer.metadata()).endpoint('authorization_endpoint')
    const attempt = { secret: newSecret(random), startedAt: clock.now(), next }
    const { state, nonce, challenge } = proofsOf(attempt)
    const params = {
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: redirectUri,
      scope: [...new Set(['openid', ...options.scopes])].join(' '),
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(params)) address.searchParams.set(name, value)
    return respond.redirect(address.href, [setCookie(request, cookie, encodeAttempt(attempt), attemptMs)])
  }

  async function comeBack(request: BrowserRequest): Promise<Response> {
    if (request.method !== 'GET') return respond.wrongMethod(request, 'GET')
    const waitMs = failures.blockedForMs(request.remoteAddress)
    if (waitMs !== undefined) return respond.tooMany(request, waitMs)
    try {
      const { claims, next } = await read(request)
      const person = options.personOf(claims)
      if (person === undefined) {
        options.onError(
          new IdTokenError('The ID token does not say who somebody is: its claim for that is not a name.'),
        )
        throw new SignInFailed(403, 'The provider did not say who you are.')
      }
      const session = await sessions.begin(request, person)
      return respond.redirect(next, [session, ...(options.more?.(request) ?? []), clearCookie(request, cookie)])
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error
      failures.record(request.remoteAddress, request.query)
      return respond.failed(request, error.status, { text: error.message, again: paths.signIn })
    }
  }

  return { addressFor, leave, comeBack }
}
