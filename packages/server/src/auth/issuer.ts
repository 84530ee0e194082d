import type { JWTVerifyGetKey } from 'jose'
import type { Clock } from '../runtime/clock.js'
import { FetchStatusError, fetchJson } from './fetch-json.js'
import { Kept } from './kept.js'
import { publishedKeys } from './published-keys.js'
import { secureUrl } from './secure-url.js'

const metadataMs = 60 * 60 * 1000

/** The addresses of an authorization server that are used here, by the names that RFC 8414 has for them. */
const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'introspection_endpoint'] as const
type Endpoint = (typeof endpoints)[number]

/** An authorization server, as it describes itself. */
export interface IssuerMetadata {
  readonly issuer: string
  /** One of its addresses. @throws Error when it has none */
  endpoint(name: Endpoint): URL
  /** Whether it takes a client's secret in the `Authorization` header, or else in the body. */
  readonly takesBasic: boolean
  /** Whether it names itself in what it sends back through the browser (RFC 9207). */
  readonly sendsIssuer: boolean
}

/** Whom tokens are of: what it says about itself, and the keys that it signs with. */
export interface Issuer {
  readonly url: string
  metadata(): Promise<IssuerMetadata>
  readonly keys: JWTVerifyGetKey
}

export interface IssuerOptions {
  readonly clock: Pick<Clock, 'now'>
  /** What an issuer has to have. One that lacks it now may have it in a moment: that is looked for again. */
  readonly needs: readonly Endpoint[]
  readonly onError?: ((error: unknown) => void) | undefined
}

/** An issuer by its URL. Nothing is fetched before it is needed. */
export function issuerAt(url: string, { clock, needs, onError }: IssuerOptions): Issuer {
  const places = metadataPlaces(secureUrl(url, 'issuer'))
  const metadata = new Kept({ load: () => discover(url, places, needs), clock, freshMs: metadataMs, onError })
  const keys = publishedKeys(async () => (await metadata.get()).endpoint('jwks_uri'), { clock, onError })
  return { url, metadata: () => metadata.get(), keys }
}

async function discover(issuer: string, places: readonly URL[], needs: readonly Endpoint[]): Promise<IssuerMetadata> {
  const found = await firstOf(places)
  // Else someone else's tokens would count as this issuer's.
  if (found.issuer !== issuer) throw new Error(`The issuer at ${issuer} calls itself "${String(found.issuer)}".`)
  // All of them at once: nobody is sent to a provider that would then take their code over an open line.
  const known = new Map(
    endpoints
      .filter(name => name in found)
      .map(name => [name, secureUrl(String(found[name]), `The ${name} of ${issuer}`)]),
  )
  const missing = needs.find(name => !known.has(name))
  if (missing !== undefined) throw new Error(`The issuer ${issuer} has no ${missing}.`)
  const methods = found.token_endpoint_auth_methods_supported
  return {
    issuer,
    endpoint(name) {
      const url = known.get(name)
      if (url === undefined) throw new Error(`The issuer ${issuer} has no ${name}.`)
      return new URL(url)
    },
    takesBasic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
    sendsIssuer: found.authorization_response_iss_parameter_supported === true,
  }
}

/** Where an issuer may describe itself: as OpenID Connect has it, and as RFC 8414 does. */
function metadataPlaces({ origin, pathname }: URL): URL[] {
  const path = pathname.replace(/\/$/, '')
  const places = [
    `${path}/.well-known/openid-configuration`,
    `/.well-known/oauth-authorization-server${path}`,
    `/.well-known/openid-configuration${path}`,
  ]
  return [...new Set(places)].map(place => new URL(place, origin))
}

async function firstOf([place, ...others]: readonly URL[]): Promise<Record<string, unknown>> {
  if (place === undefined) throw new Error('The issuer publishes no metadata.')
  try {
    return await fetchJson(place)
  } catch (error) {
    const isElsewhere = error instanceof FetchStatusError && error.status >= 400 && error.status < 500
    if (!isElsewhere || others.length === 0) throw error
    return firstOf(others)
  }
}
