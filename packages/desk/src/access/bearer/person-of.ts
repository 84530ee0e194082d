import type { JWTPayload } from 'jose'
import type { Person } from '../../policy/audience.js'

export interface ClaimNames {
  /** Default: `sub`, the one that an issuer never gives to somebody else. */
  readonly principalClaim?: string | undefined
  /** Default: `groups`. */
  readonly groupsClaim?: string | undefined
}

/** Who a verified token is about; undefined when it does not say, or says an address that nobody verified. */
export function personOf(
  claims: JWTPayload,
  { principalClaim = 'sub', groupsClaim = 'groups' }: ClaimNames,
): Person | undefined {
  const principal = own(claims, principalClaim)
  if (typeof principal !== 'string' || principal === '' || principal.length > 255) return undefined
  if (principalClaim === 'email' && claims.email_verified === false) return undefined
  const groups = own(claims, groupsClaim)
  if (typeof groups === 'string') return { principal, groups: [groups] }
  return Array.isArray(groups)
    ? { principal, groups: groups.filter(group => typeof group === 'string') }
    : { principal }
}

function own(claims: JWTPayload, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined
}
