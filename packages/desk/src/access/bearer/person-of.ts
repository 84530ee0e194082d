import { type PrincipalClaim, principalOf } from 'beckon/sign-in/adapter'
import type { JWTPayload } from 'jose'
import type { Person } from '../../policy/audience.js'

export interface ClaimNames extends PrincipalClaim {
  /** Default: `groups`. */
  readonly groupsClaim?: string | undefined
  /** A claim that says `admin` or `auditor`. None unless given: what an issuer calls an admin may be something else. */
  readonly roleClaim?: string | undefined
}

/** Who a verified token is about; undefined when it does not say, or says an address that nobody verified. */
export function personOf(
  claims: JWTPayload,
  { issuer, principalClaim, groupsClaim = 'groups', roleClaim }: ClaimNames & { readonly issuer: string },
): Person | undefined {
  const principal = principalOf(claims, { issuer, principalClaim })
  if (principal === undefined) return undefined
  const claimed = own(claims, groupsClaim)
  const groups = typeof claimed === 'string' ? [claimed] : Array.isArray(claimed) ? claimed : undefined
  const role = roleClaim === undefined ? undefined : own(claims, roleClaim)
  const email = own(claims, 'email_verified') === true ? own(claims, 'email') : undefined
  return {
    principal,
    ...(groups && { groups: groups.filter(group => typeof group === 'string') }),
    ...((role === 'admin' || role === 'auditor') && { role }),
    ...(typeof email === 'string' && { email }),
  }
}

function own(claims: JWTPayload, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined
}
