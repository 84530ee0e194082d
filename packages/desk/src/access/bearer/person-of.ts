import type { JWTPayload } from 'jose'
import type { Person } from '../../policy/audience.js'

export interface ClaimNames {
  /** Default: `sub`, the one that an issuer never gives to somebody else. */
  readonly principalClaim?: string | undefined
  /** Default: `groups`. */
  readonly groupsClaim?: string | undefined
  /** A claim that says `admin` or `auditor`. None unless given: what an issuer calls an admin may be something else. */
  readonly roleClaim?: string | undefined
}

/** Who a verified token is about; undefined when it does not say, or says an address that nobody verified. */
export function personOf(
  claims: JWTPayload,
  { principalClaim = 'sub', groupsClaim = 'groups', roleClaim }: ClaimNames,
): Person | undefined {
  const principal = own(claims, principalClaim)
  if (typeof principal !== 'string' || principal === '' || principal.length > 255) return undefined
  if (principalClaim === 'email' && claims.email_verified === false) return undefined
  const claimed = own(claims, groupsClaim)
  const groups = typeof claimed === 'string' ? [claimed] : Array.isArray(claimed) ? claimed : undefined
  const role = roleClaim === undefined ? undefined : own(claims, roleClaim)
  return {
    principal,
    ...(groups && { groups: groups.filter(group => typeof group === 'string') }),
    ...((role === 'admin' || role === 'auditor') && { role }),
  }
}

function own(claims: JWTPayload, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined
}
