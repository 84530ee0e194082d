// Threats: tokens that are forged, expired, meant for someone else (audience) or by someone else (issuer); something else that
// the issuer has signed; a token that is bound to a key, from who stole it without the key.
// Not defended: a token that its issuer has since withdrawn is good until it expires.
import { systemClock } from 'beckon'
import {
  algorithmsOf,
  defaultToleranceMs,
  isAccessToken,
  isBound,
  isGenuine,
  isWrongToken,
  publishedKeys,
  secureUrl,
} from 'beckon/sign-in/adapter'
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Access, AccessOptions } from '../access.js'
import { looksLikeJwt } from './bearer-of.js'
import { type ClaimNames, personOf } from './person-of.js'
import { tokenAccess } from './token-access.js'

export interface JwtAccessOptions extends AccessOptions, ClaimNames {
  /** Whose tokens are accepted: their `iss`, exactly. */
  readonly issuer: string
  /** What this desk is called in a token's `aud`. */
  readonly audience: string
  /** Where the issuer's keys are; or the keys themselves. */
  readonly jwksUri?: string
  readonly jwks?: JSONWebKeySet
  /** Default: all with a public and a private key. */
  readonly algorithms?: readonly string[]
  /** How far the issuer's clock may be off. Default: a minute. */
  readonly clockToleranceMs?: number
}

/** Lets in anyone who sends a JWT of a known issuer as `Authorization: Bearer`. */
export function jwtAccess(options: JwtAccessOptions): Access {
  const { issuer, audience, clockToleranceMs = defaultToleranceMs } = options
  const getKey = keysOf(options)
  const algorithms = algorithmsOf(options.algorithms)
  if (issuer === '' || audience === '') throw new TypeError('jwtAccess needs an issuer and an audience.')

  return tokenAccess(async (token, clock) => {
    if (!looksLikeJwt(token)) return { kind: 'wrong', isGuess: false }
    try {
      const { payload, protectedHeader } = await jwtVerify(token, getKey, {
        issuer,
        audience,
        algorithms,
        requiredClaims: ['exp'],
        clockTolerance: clockToleranceMs / 1000,
        currentDate: new Date(clock.now()),
      })
      const isOurs = isAccessToken(protectedHeader) && !isBound(payload)
      const person = isOurs ? personOf(payload, options) : undefined
      if (person === undefined) return { kind: 'wrong', isGuess: false }
      const { exp } = payload
      return { kind: 'person', person, ...(exp !== undefined && { expiresAt: exp * 1000 + clockToleranceMs }) }
    } catch (error) {
      if (!isWrongToken(error)) throw error
      return { kind: 'wrong', isGuess: !isGenuine(error) }
    }
  }, options)
}

function keysOf({ jwksUri, jwks, clock = systemClock }: JwtAccessOptions): JWTVerifyGetKey {
  if (jwks !== undefined && jwksUri === undefined) return createLocalJWKSet(jwks)
  if (jwksUri !== undefined && jwks === undefined) {
    const url = secureUrl(jwksUri, 'jwksUri')
    return publishedKeys(() => url, { clock })
  }
  throw new TypeError('jwtAccess needs jwksUri or jwks, and not both.')
}
