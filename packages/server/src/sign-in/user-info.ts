// What a provider says of someone beside the ID token (OpenID Connect Core 5.3 and 5.4): many have there alone what a scope asks for,
// such as groups.
// Threat: claims of another person, or from elsewhere. So the endpoint is the one that the provider publishes under its own name, at
// https; the subject has to be that of the verified ID token; and what that token says counts, whatever is said here.
// It is no proof of who somebody is: where it cannot be had, the sign-in goes on with what the ID token says, and the operator is told.
import type { JWTPayload } from 'jose'
import { fetchJson } from '../auth/fetch-json.js'
import { Kept } from '../auth/kept.js'
import { secureUrl } from '../auth/secure-url.js'
import type { Clock } from '../runtime/clock.js'

const placeMs = 60 * 60 * 1000

export interface UserInfoOptions {
  /** The provider's own name for itself. */
  readonly issuer: string
  readonly clock: Pick<Clock, 'now'>
  /** The claims that are needed: where the ID token has them, nothing is asked. Default: whatever there is. */
  readonly claims?: readonly string[] | undefined
  /** Told, once each, what cannot be had. */
  readonly onError: (error: unknown) => void
}

/** Adds to the claims of an ID token what the provider says of the same person elsewhere. */
export function userInfo(options: UserInfoOptions): (claims: JWTPayload, accessToken: unknown) => Promise<JWTPayload> {
  const { issuer, clock, claims: wanted, onError } = options
  const place = new Kept({ load: () => endpointOf(issuer), clock, freshMs: placeMs })
  const told = new Set<string>()

  function tellOnce(message: string, cause?: unknown): void {
    if (told.has(message)) return
    told.add(message)
    onError(new Error(message, { cause }))
  }

  async function ask(claims: JWTPayload, accessToken: string): Promise<JWTPayload> {
    const endpoint = await place.get()
    if (endpoint === undefined) return claims
    const found = await fetchJson(endpoint, { headers: { authorization: `Bearer ${accessToken}` } })
    if (found.sub !== claims.sub) throw new Error('It is about somebody else than the ID token.')
    return merged(claims, found)
  }

  return async (claims, accessToken) => {
    const isThere = (name: string) => Object.hasOwn(claims, name)
    if (wanted?.every(isThere)) return claims
    const all =
      typeof accessToken === 'string'
        ? await ask(claims, accessToken).catch(error => {
            tellOnce(`What ${issuer} has at its userinfo endpoint cannot be had: ${reasonOf(error)}`, error)
            return claims
          })
        : claims
    for (const name of wanted ?? [])
      if (!Object.hasOwn(all, name))
        tellOnce(
          `The sign-in at ${issuer} has no claim "${name}", neither in the ID token nor at the userinfo endpoint. Have the provider ` +
            'put it there, or ask for the scope that it belongs to.',
        )
    return all
  }
}

/** What the ID token says counts, and that an address was verified is said of that address. */
function merged(claims: JWTPayload, { email_verified, ...found }: Record<string, unknown>): JWTPayload {
  if (Object.hasOwn(claims, 'email')) return { ...found, ...claims }
  const { email_verified: _, ...verified } = claims
  return { ...found, ...(email_verified !== undefined && { email_verified }), ...verified }
}

/** Where a provider answers who somebody is; undefined where it does not. */
async function endpointOf(issuer: string): Promise<URL | undefined> {
  const { origin, pathname } = new URL(issuer)
  const found = await fetchJson(new URL(`${pathname.replace(/\/$/, '')}/.well-known/openid-configuration`, origin))
  if (found.issuer !== issuer) throw new Error(`The issuer at ${issuer} calls itself "${String(found.issuer)}".`)
  if (found.userinfo_endpoint === undefined) return undefined
  return secureUrl(String(found.userinfo_endpoint), `The userinfo_endpoint of ${issuer}`)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
