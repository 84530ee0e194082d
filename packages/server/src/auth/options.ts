import type { PrincipalClaim } from './principal.js'
import { secureUrl } from './secure-url.js'

/** What `createServer({ auth })` takes: whose tokens count, and for what. */
export interface AuthOptions extends PrincipalClaim {
  /** The authorization server whose tokens count: its URL, exactly as its metadata and its tokens have it. */
  readonly issuer: string
  /** What this server is called in a token's `aud`. Default: `resource`. */
  readonly audience?: string | readonly string[] | undefined
  /** Scopes that every request needs. `guard({ scopes })` asks for more, where more is needed. */
  readonly scopes?: readonly string[] | undefined
  /** The URL that clients reach the MCP endpoint by. Default: `/mcp` below `publicUrl`, or where the server listens. */
  readonly resource?: string | undefined
  /** Has the issuer itself say whether a token is good (RFC 7662), for tokens that are not JWTs or can be withdrawn. */
  readonly introspection?: IntrospectionOptions | undefined
  /** Signatures that count. Default: all with a public and a private key. */
  readonly algorithms?: readonly string[] | undefined
  /** How far the issuer's clock may be off. Default: a minute. */
  readonly clockToleranceMs?: number | undefined
}

export interface IntrospectionOptions {
  /** As whom this server asks the issuer. */
  readonly clientId: string
  readonly clientSecret: string
  /** Where to ask. Default: the `introspection_endpoint` of the issuer's metadata. */
  readonly endpoint?: string | undefined
  /** How long an answer counts. Default: 5 seconds. */
  readonly cacheMs?: number | undefined
}

/** @throws TypeError for what could never work */
export function checkAuthOptions({ issuer, audience, scopes = [], resource, introspection }: AuthOptions): void {
  const { search, hash } = secureUrl(issuer, 'auth.issuer')
  if (search !== '' || hash !== '') throw new TypeError('auth.issuer has neither a query nor a fragment.')
  if (resource !== undefined) secureUrl(resource, 'auth.resource')
  if (audience !== undefined && (audience.length === 0 || [audience].flat().includes('')))
    throw new TypeError('auth.audience must not be empty: a token for any server would do.')
  if (introspection?.endpoint !== undefined) secureUrl(introspection.endpoint, 'auth.introspection.endpoint')
  checkScopes(scopes, 'auth.scopes')
}

/** @throws TypeError for what is not a scope (RFC 6749 3.3), or not ours to ask for */
export function checkScopes(scopes: readonly string[], setting: string): void {
  const odd = scopes.find(scope => !/^[!#-[\]-~]+$/.test(scope))
  if (odd !== undefined) throw new TypeError(`${setting}: "${odd}" is not a scope. Give each as a string of its own.`)
  if (scopes.includes('offline_access'))
    throw new TypeError(`${setting}: offline_access is for a client to ask for, and never for a server.`)
}
