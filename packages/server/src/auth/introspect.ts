import type { JWTPayload } from 'jose'
import { digest } from '../crypto/digest.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import { type CheckDeps, defaultToleranceMs } from './check-jwt.js'
import { clientAuthorization } from './client-authorization.js'
import { fetchJson } from './fetch-json.js'
import { IssuerAwayError } from './kept.js'
import type { AuthOptions, IntrospectionOptions } from './options.js'
import { secureUrl } from './secure-url.js'
import { type CheckToken, refused, type Verdict, verdictOf } from './verified-token.js'

const defaultCacheMs = 5_000
const maxCached = 10_000
const maxTokenChars = 16_384

/** Has the issuer say whether tokens are good (RFC 7662). An answer counts for a few seconds. */
export function introspection(
  options: AuthOptions,
  { clientId, clientSecret, endpoint, cacheMs = defaultCacheMs }: IntrospectionOptions,
  { issuer, clock, audience }: CheckDeps,
): CheckToken {
  const { clockToleranceMs = defaultToleranceMs } = options
  const given = endpoint === undefined ? undefined : secureUrl(endpoint, 'auth.introspection.endpoint')
  const known = new BoundedMap<string, { readonly verdict: Promise<Verdict>; readonly until: number }>({
    max: maxCached,
  })

  async function ask(token: string): Promise<Verdict> {
    const found = await fetchJson(given ?? (await issuer.metadata()).endpoint('introspection_endpoint'), {
      method: 'POST',
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
      headers: { authorization: clientAuthorization(clientId, clientSecret) },
    }).catch(error => {
      throw new IssuerAwayError(error instanceof Error ? error.message : String(error), { cause: error })
    })
    return judge(found)
  }

  async function judge(claims: JWTPayload & Record<string, unknown>): Promise<Verdict> {
    if (claims.active !== true) return refused('The token is not valid.')
    if (claims.iss !== undefined && claims.iss !== issuer.url) return refused('The token comes from another issuer.')
    const expected = await audience()
    if (![claims.aud].flat().some(name => typeof name === 'string' && expected.includes(name)))
      return refused('The token is for another server.')
    if (claims.exp !== undefined && !(Number(claims.exp) * 1000 + clockToleranceMs > clock.now()))
      return refused('The token has expired.')
    if (typeof claims.token_type === 'string' && claims.token_type.toLowerCase() !== 'bearer')
      return refused('The token cannot be used as a bearer token.')
    return verdictOf(claims, { issuer: issuer.url, principalClaim: options.principalClaim })
  }

  return token => {
    if (token.length > maxTokenChars) return Promise.resolve(refused('The token is not valid.'))
    const key = digest(token)
    const cached = known.get(key)
    if (cached !== undefined && cached.until > clock.now()) return cached.verdict
    const verdict = ask(token)
    known.set(key, { verdict, until: clock.now() + cacheMs })
    verdict.catch(() => known.delete(key))
    return verdict
  }
}
