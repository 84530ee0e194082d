// What a token has to say, no matter who looked at its signature: we, or its issuer.
// Threats: a token of another issuer, for another server, for nobody, or bound to a key that its bearer has not shown
// (`cnf`: who stole that one must not pass with it).
// Not defended: a token that its owner gives away, until it expires.
import type { JWTPayload } from 'jose'
import { type PrincipalClaim, principalOf } from './principal.js'

/** A token that counts. */
export interface VerifiedToken {
  readonly principal: string
  readonly issuer: string
  /** The person, at the issuer. */
  readonly subject: string
  readonly scopes: readonly string[]
  /** The application that the person uses: never who they are. */
  readonly clientId: string | undefined
  /** Everything that the token says. */
  readonly claims: JWTPayload
}

/** What a token comes to. The reason is for its bearer. */
export type Verdict =
  | { readonly kind: 'valid'; readonly token: VerifiedToken }
  | { readonly kind: 'refused'; readonly reason: string }

/** Looks at a token. @throws IssuerAwayError when nobody can say whether it is good */
export type CheckToken = (token: string) => Promise<Verdict>

/** Other kinds of signed things of the same issuer are not access tokens (RFC 9068; RFC 8725 3.11). */
const types: readonly (string | undefined)[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt']

export function isAccessToken({ typ }: { readonly typ?: string }): boolean {
  return types.includes(typ?.toLowerCase())
}

/** Whether a token counts only from who shows the key that it is bound to. */
export function isBound({ cnf }: JWTPayload): boolean {
  return cnf !== undefined
}

/** A token by claims that are known to be the issuer's. */
export function verdictOf(
  claims: JWTPayload,
  { issuer, principalClaim }: PrincipalClaim & { issuer: string },
): Verdict {
  if (isBound(claims)) return refused('The token is bound to a key, which this server does not check.')
  const principal = principalOf(claims, { issuer, principalClaim })
  if (principal === undefined) return refused('The token does not name its subject.')
  return {
    kind: 'valid',
    token: {
      principal,
      issuer,
      subject: typeof claims.sub === 'string' ? claims.sub : principal,
      scopes: scopesIn(claims),
      clientId: typeof claims.client_id === 'string' ? claims.client_id : undefined,
      claims,
    },
  }
}

export function refused(reason: string): Verdict {
  return { kind: 'refused', reason }
}

/** `scope` as the RFCs have it, or `scp` as several products do. */
function scopesIn({ scope, scp }: JWTPayload): string[] {
  const given = scope ?? scp
  const scopes: unknown[] = typeof given === 'string' ? given.split(' ') : Array.isArray(given) ? given : []
  return scopes.filter(one => typeof one === 'string' && one !== '').map(String)
}
