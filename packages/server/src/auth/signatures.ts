// Threats: a token signed with nothing (`none`), or with the issuer's public key taken for a shared secret (`HS256`). Only
// algorithms with a private key are ever accepted.
import { errors } from 'jose'

const asymmetric: readonly string[] = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')

/** The algorithms to accept. Throws for one that a public key could be misused for. */
export function algorithmsOf(wanted: readonly string[] = asymmetric): string[] {
  const weak = wanted.find(algorithm => !asymmetric.includes(algorithm))
  if (weak !== undefined || wanted.length === 0) {
    throw new Error(`algorithms takes any of ${asymmetric.join(', ')}, and not "${weak ?? ''}".`)
  }
  return [...wanted]
}

const wrong = [
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSMultipleMatchingKeys,
  errors.JWKSNoMatchingKey,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JWTClaimValidationFailed,
  errors.JWTExpired,
  errors.JWTInvalid,
]

/** Whether an error is about the token, and not about getting the keys to check it. */
export function isWrongToken(error: unknown): boolean {
  return wrong.some(kind => error instanceof kind)
}

/** Whether a token was signed by the issuer, and is wrong for another reason. */
export function isGenuine(error: unknown): boolean {
  return error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed
}
