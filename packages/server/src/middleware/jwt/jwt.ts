import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { defaultToleranceMs } from '../../auth/check-jwt.js'
import { publishedKeys } from '../../auth/published-keys.js'
import type { MiddlewareHooks } from '../../author/middleware.js'
import { refuse } from '../../author/refuse.js'
import { RequestError } from '../../protocol/request-error.js'
import { systemClock } from '../../runtime/clock.js'
import { isLoopback } from '../../runtime/loopback.js'
import type { JsonValue } from '../../store/index.js'
import { authorize } from '../authorization.js'

export interface JwtOptions {
  /** Where the issuer publishes its keys; or a function of jose that finds one. */
  jwks?: string | URL | JWTVerifyGetKey
  /** A secret shared with the issuer, of 32 bytes or more: HS256. */
  secret?: string | Uint8Array
  /** Who has to have issued the token. */
  issuer: string | string[]
  /** Whom the token has to be for: this server. */
  audience: string | string[]
  /** Signatures that count. Default: HS256 with a secret, else those with a public key. */
  algorithms?: string[]
  /** Lets only some of the valid tokens pass, by what they say. */
  verify?: (claims: JWTPayload) => boolean | Promise<boolean>
  /** What the model is told otherwise. */
  message?: string
  /** Told why the keys cannot be had. Default: to standard error. */
  onError?: (error: unknown) => void
}

/** What the handler finds in `ctx.var`. */
export interface JwtVars {
  /** The claims of the token that let the call pass. */
  jwt: JWTPayload
}

const publicKeyAlgorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA']
const minSecretBytes = 32
/** The keys are there, and none is for this token. */
const noKey = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported]

/**
 * Lets a call pass whose HTTP request has a valid JSON Web Token that says whom it is of (`sub`). A call that came in without HTTP does not pass.
 * @example
 * const auth = jwt({ jwks: 'https://id.example/jwks', issuer: 'https://id.example', audience: 'https://mcp.example' })
 * server.tool('whoami', { use: [auth] }, async (_input, ctx) => `You are ${ctx.var.jwt.sub}.`)
 */
export function jwt(options: JwtOptions): MiddlewareHooks<JwtVars> {
  const { issuer, audience, verify = () => true, message } = options
  const find = orUnavailable(keyFinder(options), options.onError)
  const algorithms = options.algorithms ?? (options.secret === undefined ? publicKeyAlgorithms : ['HS256'])

  async function claimsOf(token: string): Promise<JsonValue | undefined> {
    const wanted = { issuer, audience, algorithms, requiredClaims: ['exp'], clockTolerance: defaultToleranceMs / 1000 }
    const claims = await jwtVerify(token, find, wanted).then(
      ({ payload }) => payload,
      error => {
        if (error instanceof RequestError) throw error
      },
    )
    if (claims === undefined || !namesSomeone(claims) || (await verify(claims)) !== true) return undefined
    // The payload of a token was parsed from JSON.
    return claims as JsonValue
  }

  return {
    name: 'jwt',
    async onCall(ctx, next) {
      const claims = await authorize(ctx, 'jwt', claimsOf)
      if (claims === undefined) return refuse(ctx, message ?? 'Not authorized: this needs a valid token.')
      ctx.set('jwt', claims as JWTPayload)
      return next()
    },
  }
}

/** Whom a token is of. A library checks that there is a signature, and not that there is a person. */
function namesSomeone({ sub }: { readonly sub?: unknown }): boolean {
  return typeof sub === 'string' && sub.trim() !== ''
}

/** Without keys nobody can say whether a token is good: that is no reason to refuse it, but to try again. */
function orUnavailable(find: JWTVerifyGetKey, onError: JwtOptions['onError'] = error => console.error(error)) {
  return async (...[header, token]: Parameters<JWTVerifyGetKey>) => {
    try {
      return await find(header, token)
    } catch (error) {
      if (noKey.some(kind => error instanceof kind)) throw error
      onError(error)
      throw new RequestError(-32603, 'The keys that verify tokens are unavailable right now. Try again in a moment.')
    }
  }
}

/** Keys that come over an open line are anybody's. */
function checkUrl(url: URL): URL {
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return url
  throw new TypeError(`jwt() takes keys from an https URL, not ${url.origin}.`)
}

function keyFinder({ jwks, secret }: JwtOptions): JWTVerifyGetKey {
  if ((jwks === undefined) === (secret === undefined)) throw new TypeError('jwt() needs either `jwks` or `secret`.')
  if (typeof jwks === 'function') return jwks
  if (jwks !== undefined) {
    const url = checkUrl(new URL(jwks))
    return publishedKeys(() => url, { clock: systemClock })
  }
  const key = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret
  if (key === undefined || key.length < minSecretBytes)
    throw new TypeError(`The secret of jwt() must have ${minSecretBytes} bytes or more.`)
  return async () => key
}
