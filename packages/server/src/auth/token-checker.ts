// Loaded when the first token arrives: a server without `auth` does without it.
import { type CheckDeps, jwtChecker } from './check-jwt.js'
import { introspection } from './introspect.js'
import { type IssuerOptions, issuerAt } from './issuer.js'
import type { AuthOptions } from './options.js'
import type { CheckToken } from './verified-token.js'

/** Looks at tokens of an issuer. */
export function tokenChecker(
  options: AuthOptions,
  { audience, ...deps }: Omit<IssuerOptions, 'needs'> & Pick<CheckDeps, 'audience'>,
): CheckToken {
  const { introspection: asking } = options
  const needed = asking === undefined ? 'jwks_uri' : 'introspection_endpoint'
  const issuer = issuerAt(options.issuer, { ...deps, needs: asking?.endpoint === undefined ? [needed] : [] })
  const all = { issuer, clock: deps.clock, audience }
  return asking === undefined ? jwtChecker(options, all) : introspection(options, asking, all)
}
