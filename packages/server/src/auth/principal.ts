// Threat: two people who are taken for one. A subject means something at its issuer alone: "7" is one person there and
// another one elsewhere. So a person is an issuer and a subject, unless an operator names a claim that is as good.
import type { JWTPayload } from 'jose'

const maxLength = 255

export interface PrincipalClaim {
  /**
   * A claim that says by itself who someone is, such as `email` where the issuer verifies addresses. Default: the issuer and
   * `sub` together, as `https://id.example#7`, since an issuer never gives a subject to somebody else.
   */
  readonly principalClaim?: string | undefined
}

/** Who verified claims are about; undefined when they do not say, or say an address that nobody verified. */
export function principalOf(
  claims: JWTPayload,
  { issuer, principalClaim }: PrincipalClaim & { readonly issuer: string },
): string | undefined {
  if (principalClaim === undefined) {
    const sub = textOf(claims, 'sub')
    // An issuer's URL has no fragment, so that the first # is where the subject begins.
    return sub && `${issuer}#${sub}`
  }
  if (principalClaim === 'email' && !isVerified(claims.email_verified)) return undefined
  return textOf(claims, principalClaim)
}

/** Some issuers write it as a text, and some not at all: what they give is what they verified. */
function isVerified(flag: unknown): boolean {
  return flag === undefined || flag === true || flag === 'true'
}

function textOf(claims: JWTPayload, name: string): string | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  return typeof value === 'string' && value.trim() !== '' && value.length <= maxLength ? value : undefined
}
