// The server as an OAuth 2.1 resource server, as the protocol has it: each HTTP request brings a token of the issuer that was
// made for this server, and a client that brings none is told where to get one.
// Threats: tokens that are forged, expired, of another issuer, for another server, for nobody (`verified-token.ts`); a token
// in an address, where logs keep it (it counts in the Authorization header alone); a challenge that leads elsewhere (its
// addresses are settings, and never what a request says).
// Not defended: the response to a call goes on when its token expires. Who only listens is cut off (`http/lasting-streams.ts`).
import type { Authorized, HeaderReader, HttpRefusal } from '../http/served.js'
import type { Clock } from '../runtime/clock.js'
import { type AuthOptions, checkAuthOptions } from './options.js'
import { isMetadataOf, isMetadataPath, metadataUrl, resourceMetadata } from './resource-metadata.js'
import type { CheckToken, VerifiedToken } from './verified-token.js'

/** How long a client is asked to wait for an issuer that is away. */
const retryAfterSeconds = 5

export interface ResourceServer {
  /** Lets a request in, or says why not. */
  authorize(header: HeaderReader): Promise<Authorized | HttpRefusal>
  /** The principal of a token in a request; undefined without a good one. Throws a `Response` when nobody can say. */
  identify(request: Request): Promise<string | undefined>
  readonly check: CheckToken
  /** The metadata, for a path that is its own. */
  document(path: string): Promise<Record<string, unknown> | undefined> | undefined
}

export interface ResourceServerDeps {
  readonly name: string
  readonly clock: Pick<Clock, 'now'>
  /** Where `/mcp` is below. */
  readonly base: () => Promise<string>
  /** The scopes that what a message calls needs, beyond those that everything does. */
  readonly scopesFor: (message: unknown) => readonly string[]
  /** All that anything may need. */
  readonly allScopes: () => readonly string[]
  readonly onError: (error: unknown) => void
}

export function resourceServer(options: AuthOptions, deps: ResourceServerDeps): ResourceServer {
  checkAuthOptions(options)
  const { issuer, scopes = [] } = options
  const { name, clock, onError } = deps
  const resource = async () => options.resource ?? `${await deps.base()}/mcp`
  const audience = async () => [options.audience ?? (await resource())].flat()
  let checker: Promise<CheckToken> | undefined

  const check: CheckToken = async token => {
    checker ??= import('./token-checker.js').then(({ tokenChecker }) =>
      tokenChecker(options, { clock, onError, audience }),
    )
    return (await checker)(token)
  }

  async function authorize(header: HeaderReader): Promise<Authorized | HttpRefusal> {
    const metadata = metadataUrl(await resource())
    const token = bearerIn(header)
    if (token === undefined) return challenge(401, { metadata, scopes })
    const verdict = await check(token).catch(unavailable)
    if (verdict === undefined) return away
    if (verdict.kind === 'refused')
      return challenge(401, { metadata, scopes, error: 'invalid_token', reason: verdict.reason })
    const refusalOf = (needed: readonly string[]) => scopeRefusal(verdict.token, needed, { metadata, scopes })
    return (
      refusalOf([]) ?? {
        principal: verdict.token.principal,
        refuse: message => refusalOf(deps.scopesFor(message)),
      }
    )
  }

  function unavailable(error: unknown): undefined {
    onError(error)
    return undefined
  }

  return {
    authorize,
    check,
    async identify(request) {
      const token = bearerIn(wanted => request.headers.get(wanted) ?? undefined)
      if (token === undefined) return undefined
      const verdict = await check(token).catch(unavailable)
      if (verdict === undefined) throw new Response(`${away.message}\n`, { status: away.status })
      return verdict.kind === 'valid' ? verdict.token.principal : undefined
    },
    document(path) {
      if (!isMetadataPath(path)) return undefined
      return resource().then(own =>
        isMetadataOf(own, path)
          ? resourceMetadata({ resource: own, issuer, scopes: [...new Set([...scopes, ...deps.allScopes()])], name })
          : undefined,
      )
    },
  }
}

const away: HttpRefusal = {
  status: 503,
  message: 'Whether the token is good cannot be checked now: its issuer does not answer. Try again in a moment.',
  headers: ['Retry-After', String(retryAfterSeconds)],
}

/** In the header alone: an address is logged and shared. */
function bearerIn(header: HeaderReader): string | undefined {
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(header('authorization') ?? '')?.[1]
}

interface Challenge {
  readonly metadata: string
  /** What every request needs. */
  readonly scopes: readonly string[]
  readonly error?: string
  readonly reason?: string
}

/** Step-up: what is missing is asked for together with what is there, or it would be lost. */
function scopeRefusal(token: VerifiedToken, needed: readonly string[], about: Challenge): HttpRefusal | undefined {
  const scopes = [...new Set([...about.scopes, ...needed])]
  if (scopes.every(scope => token.scopes.includes(scope))) return undefined
  const reason = 'The token does not allow this.'
  return challenge(403, { ...about, scopes, error: 'insufficient_scope', reason })
}

function challenge(status: number, { metadata, scopes, error, reason }: Challenge): HttpRefusal {
  const params = [
    error && `error="${error}"`,
    reason && `error_description="${reason}"`,
    scopes.length > 0 && `scope="${scopes.join(' ')}"`,
    `resource_metadata="${metadata}"`,
  ]
  return {
    status,
    message: reason ?? 'Unauthorized',
    headers: ['WWW-Authenticate', `Bearer ${params.filter(Boolean).join(', ')}`],
  }
}
