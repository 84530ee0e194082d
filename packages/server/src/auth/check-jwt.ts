import { errors, jwtVerify } from 'jose'
import type { Clock } from '../runtime/clock.js'
import type { Issuer } from './issuer.js'
import type { AuthOptions } from './options.js'
import { algorithmsOf, isWrongToken } from './signatures.js'
import { type CheckToken, isAccessToken, refused, verdictOf } from './verified-token.js'

export interface CheckDeps {
  readonly issuer: Issuer
  readonly clock: Pick<Clock, 'now'>
  /** Whom a token has to be for. */
  readonly audience: () => Promise<readonly string[]>
}

/** How far the clocks of two machines may be apart. */
export const defaultToleranceMs = 60_000

/** Looks at tokens that are JWTs, with the issuer's keys. */
export function jwtChecker(options: AuthOptions, { issuer, clock, audience }: CheckDeps): CheckToken {
  const { clockToleranceMs = defaultToleranceMs } = options
  const algorithms = algorithmsOf(options.algorithms)
  return async token => {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, issuer.keys, {
        issuer: issuer.url,
        audience: [...(await audience())],
        algorithms,
        requiredClaims: ['exp'],
        clockTolerance: clockToleranceMs / 1000,
        currentDate: new Date(clock.now()),
      })
      if (!isAccessToken(protectedHeader)) return refused('This is not an access token.')
      return verdictOf(payload, { issuer: issuer.url, principalClaim: options.principalClaim })
    } catch (error) {
      if (!isWrongToken(error)) throw error
      return refused(reasonOf(error))
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.'
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'The token is not valid.'
  if (error.claim === 'aud') return 'The token is for another server.'
  return error.claim === 'iss' ? 'The token comes from another issuer.' : 'The token is not valid now.'
}
