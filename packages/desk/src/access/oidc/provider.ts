import type { Clock } from 'beckon'
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import { secureUrl } from '../loopback.js'
import { fetchJson } from './fetch-json.js'

const cacheMs = 60 * 60 * 1000

/** An OpenID provider, as it describes itself. */
export interface Provider {
  readonly issuer: string
  readonly authorizationEndpoint: URL
  readonly tokenEndpoint: URL
  readonly keys: JWTVerifyGetKey
  /** Whether it takes a client's secret in the `Authorization` header, or else in the body. */
  readonly takesBasic: boolean
  /** Whether it names itself in what it sends back through the browser (RFC 9207). */
  readonly sendsIssuer: boolean
}

/** Reads what a provider says about itself, when it is first needed and then once an hour. A failure is not kept. */
export function discovery(issuer: string, clock: Pick<Clock, 'now'>): () => Promise<Provider> {
  const address = secureUrl(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, 'issuer')
  let known: { readonly provider: Promise<Provider>; readonly until: number } | undefined
  return () => {
    if (known === undefined || known.until <= clock.now()) {
      const read: typeof known = { provider: discover(issuer, address), until: clock.now() + cacheMs }
      read.provider.catch(() => {
        if (known === read) known = undefined
      })
      known = read
    }
    return known.provider
  }
}

async function discover(issuer: string, address: URL): Promise<Provider> {
  const found = await fetchJson(address, {})
  // Else someone else's tokens would count as this issuer's.
  if (found.issuer !== issuer) throw new Error(`The provider at ${issuer} calls itself "${String(found.issuer)}".`)
  const methods = found.token_endpoint_auth_methods_supported
  return {
    issuer,
    authorizationEndpoint: endpoint(found, 'authorization_endpoint'),
    tokenEndpoint: endpoint(found, 'token_endpoint'),
    keys: createRemoteJWKSet(endpoint(found, 'jwks_uri')),
    takesBasic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
    sendsIssuer: found.authorization_response_iss_parameter_supported === true,
  }
}

function endpoint(found: Record<string, unknown>, name: string): URL {
  return secureUrl(String(found[name]), `The provider's ${name}`)
}
