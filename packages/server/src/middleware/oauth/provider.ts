// Everything that is said to an authorization server, by oauth4webapi: it checks issuers, states, nonces and responses.
// Threats: a code that is stolen (PKCE), a callback of another server (`iss`), of another person's sign-in (`state`, and who
// opened it, which the flow checks), and an ID token of another sign-in (`nonce`).
import * as oauth from 'oauth4webapi'
import { isLoopback } from '../../runtime/loopback.js'
import { withErrorStatus } from './error-status.js'

/** Where an authorization server is, for one that does not publish it. */
export interface Endpoints {
  authorization: string
  token: string
  /** What the server calls itself, where it does. */
  issuer?: string
}

export interface ProviderOptions {
  /** The authorization server: what else is needed is discovered from there. */
  issuer?: string | undefined
  /** Instead of discovery. */
  endpoints?: Endpoints | undefined
  clientId: string
  /** Without one, the client is a public one. */
  clientSecret?: string | undefined
  /** How the secret is sent. Default: in the body. */
  secretIn?: 'body' | 'header' | undefined
  /** More for the authorization request: `{ prompt: 'consent' }`. */
  parameters?: Readonly<Record<string, string>> | undefined
  /** How long the authorization server may take for an answer. Default: 15 seconds. */
  answerMs?: number | undefined
}

/** What an authorization server granted. */
export interface Grant {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly expiresInMs: number | undefined
  /** Undefined when it is what was asked for. */
  readonly scopes: readonly string[] | undefined
}

/** What has to be remembered between the way there and the way back. */
export interface Secrets {
  readonly state: string
  readonly verifier: string
  readonly nonce: string | null
}

export interface Provider {
  /** The host that a person signs in at. */
  readonly host: string
  /** The longest that anything here takes. */
  readonly maxMs: number
  authorizationUrl(request: { state: string; redirectUri: string; scopes: readonly string[] }): Promise<{
    url: string
    secrets: Secrets
  }>
  /** Exchanges the code of a callback. Throws for anything that is not the answer to this very request. */
  exchange(callback: URLSearchParams, secrets: Secrets, redirectUri: string): Promise<Grant>
  refresh(refreshToken: string): Promise<Grant>
}

const defaultAnswerMs = 15_000

export function createProvider(options: ProviderOptions): Provider {
  const { clientId, clientSecret, secretIn = 'body', parameters = {}, answerMs = defaultAnswerMs } = options
  const issuer = issuerOf(options)
  const client: oauth.Client = { client_id: clientId }
  const authentication = authenticationWith(clientSecret, secretIn)
  const http = {
    signal: () => AbortSignal.timeout(answerMs),
    // Only to a server on this machine, for development and tests.
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:' && isLoopback(issuer.hostname),
  }
  let known: Promise<oauth.AuthorizationServer> | undefined

  function server(): Promise<oauth.AuthorizationServer> {
    known ??=
      options.endpoints === undefined ? discover(issuer, http) : Promise.resolve(given(issuer, options.endpoints))
    known.catch(() => {
      known = undefined
    })
    return known
  }

  return {
    host: issuer.host,
    // Looking for the endpoints in two places, and the request itself.
    maxMs: 3 * answerMs,

    async authorizationUrl({ state, redirectUri, scopes }) {
      const { authorization_endpoint } = await server()
      if (authorization_endpoint === undefined) throw new TypeError(`${issuer.host} has no authorization endpoint.`)
      const verifier = oauth.generateRandomCodeVerifier()
      const nonce = scopes.includes('openid') ? oauth.generateRandomNonce() : null
      const url = new URL(authorization_endpoint)
      const query = {
        ...parameters,
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(scopes.length > 0 && { scope: scopes.join(' ') }),
        ...(nonce !== null && { nonce }),
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return { url: url.href, secrets: { state, verifier, nonce } }
    },

    async exchange(callback, { state, verifier, nonce }, redirectUri) {
      const as = await server()
      const answer = oauth.validateAuthResponse(as, client, callback, state)
      const response = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        authentication,
        answer,
        redirectUri,
        verifier,
        http,
      )
      const openid = nonce === null ? {} : { expectedNonce: nonce, requireIdToken: true }
      return grantOf(await oauth.processAuthorizationCodeResponse(as, client, await withErrorStatus(response), openid))
    },

    async refresh(refreshToken) {
      const as = await server()
      const response = await oauth.refreshTokenGrantRequest(as, client, authentication, refreshToken, http)
      return grantOf(await oauth.processRefreshTokenResponse(as, client, await withErrorStatus(response)))
    },
  }
}

function issuerOf({ issuer, endpoints }: ProviderOptions): URL {
  if ((issuer === undefined) === (endpoints === undefined))
    throw new TypeError('oauth() needs either an `issuer` or `endpoints`.')
  const found = new URL(issuer ?? endpoints?.issuer ?? new URL(endpoints?.authorization ?? '').origin)
  if (found.protocol === 'https:' || isLoopback(found.hostname)) return found
  throw new TypeError(`oauth() needs an https URL, not ${found.origin}.`)
}

function given(issuer: URL, { authorization, token, issuer: named }: Endpoints): oauth.AuthorizationServer {
  return { issuer: named ?? issuer.origin, authorization_endpoint: authorization, token_endpoint: token }
}

/** By OpenID Connect, else by RFC 8414. */
async function discover(issuer: URL, http: oauth.DiscoveryRequestOptions): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(issuer, { ...http, algorithm: 'oidc' })
  if (response.status !== 404) return oauth.processDiscoveryResponse(issuer, response)
  await response.body?.cancel()
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { ...http, algorithm: 'oauth2' }))
}

function authenticationWith(secret: string | undefined, secretIn: 'body' | 'header'): oauth.ClientAuth {
  if (secret === undefined) return oauth.None()
  return secretIn === 'body' ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret)
}

function grantOf({ access_token, refresh_token, expires_in, scope }: oauth.TokenEndpointResponse): Grant {
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresInMs: expires_in === undefined ? undefined : expires_in * 1000,
    // Some separate them by commas.
    scopes: scope?.split(/[\s,]+/).filter(Boolean),
  }
}
