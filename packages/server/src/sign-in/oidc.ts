// Signing in on our own pages, with OpenID Connect. Anyone who opens a page that is for one person becomes, by their browser, the
// same principal that they are by their token.
import { issuerAt } from '../auth/issuer.js'
import { type PrincipalClaim, principalOf } from '../auth/principal.js'
import { secureUrl } from '../auth/secure-url.js'
import { algorithmsOf } from '../auth/signatures.js'
import { shortDigest } from '../crypto/digest.js'
import { BrowserSessions } from './browser-sessions.js'
import { foreignRequest, fromWeb, pageResponder, respondSignedOut, signInPage } from './on-pages.js'
import { type OpenIdSignIn, openIdSignIn, signInNeeds } from './open-id-sign-in.js'
import { systemRandom } from './secret.js'
import { memoryRecords, storeRecords } from './session-records.js'
import type { PageSignIn, SignIn, SignInDeps } from './sign-in.js'

export type { PageSignIn, SignIn, SignInDeps } from './sign-in.js'

const hourMs = 60 * 60 * 1000

export interface OidcOptions extends PrincipalClaim {
  /** The provider's own name for itself: its URL, exactly. Default: the issuer of `auth`. */
  readonly issuer?: string | undefined
  /** What this server is called at the provider, which has to know `<publicUrl>/beckon/sign-in/callback` as its redirect URI. */
  readonly clientId: string
  /** Absent for a public client; PKCE is used in any case. */
  readonly clientSecret?: string | undefined
  /** Default: `openid`. */
  readonly scopes?: readonly string[] | undefined
  /** What an ID token may be signed with. Default: all with a public and a private key. */
  readonly algorithms?: readonly string[] | undefined
  /** How long a session lives unused. Default: 8 hours. */
  readonly sessionIdleMs?: number | undefined
  /** How long a session lives at most. Default: 24 hours. */
  readonly sessionMaxMs?: number | undefined
}

/**
 * Has people sign in at an OpenID provider when they open one of the server's own pages.
 * @example
 * createServer({ name: 'shop', version: '1.0.0', publicUrl, auth: { issuer }, signIn: oidc({ clientId: 'shop-pages' }) })
 */
export function oidc(options: OidcOptions): SignIn {
  if (options.issuer !== undefined) secureUrl(options.issuer, 'oidc: issuer')
  algorithmsOf(options.algorithms)
  return { open: deps => openOidc(options, deps) }
}

interface Opened {
  readonly sessions: BrowserSessions<string>
  readonly signIn: OpenIdSignIn<Response>
}

function openOidc(options: OidcOptions, deps: SignInDeps): PageSignIn {
  const { clock, pages, store, onError } = deps
  const claim = principalClaimOf(options, deps)
  const url = issuerOf(options, deps)
  const issuer = issuerAt(url, { clock, needs: signInNeeds, onError })
  const records = store.shared ? storeRecords<string>(store, 'page-sign-in') : memoryRecords<string>(clock)
  const kind = shortDigest(deps.server)
  let opened: { readonly base: string; readonly value: Opened } | undefined

  /** Where we are is known once the server listens. */
  async function open(): Promise<Opened> {
    const base = await deps.base()
    if (opened?.base === base) return opened.value
    const publicOrigin = new URL(base).origin
    const sessions = new BrowserSessions<string>({
      clock,
      random: systemRandom,
      records,
      idleMs: options.sessionIdleMs ?? 8 * hourMs,
      maxMs: options.sessionMaxMs ?? 24 * hourMs,
      cookie: { kind: `page-${kind}`, publicOrigin },
      isForeign: request => foreignRequest(request, publicOrigin),
    })
    const path = `${new URL(base).pathname.replace(/\/$/, '')}/beckon/sign-in`
    const signIn = openIdSignIn<string, Response>({
      client: {
        issuer,
        clientId: options.clientId,
        clientSecret: options.clientSecret,
        redirectUri: `${publicOrigin}${path}/callback`,
        algorithms: algorithmsOf(options.algorithms),
        clock,
      },
      scopes: options.scopes ?? [],
      claims: [claim ?? 'sub'],
      random: systemRandom,
      sessions,
      cookie: { kind: `page-sign-in-${kind}`, publicOrigin },
      paths: { signIn: `${path}/start`, signOut: `${path}/out` },
      personOf: claims => principalOf(claims, { issuer: url, principalClaim: claim }),
      respond: pageResponder(pages),
      onError,
    })
    opened = { base, value: { sessions, signIn } }
    return opened.value
  }

  /** A path as browsers have it: a proxy may have taken a part away. */
  async function ours(request: Request, address?: string) {
    const { pathname } = new URL(await deps.base())
    return fromWeb(request, { prefix: pathname.replace(/\/$/, ''), address })
  }

  return {
    async principalOf(request) {
      const { sessions } = await open()
      return (await sessions.find(await ours(request)))?.person
    },
    async challenge(request) {
      const { signIn } = await open()
      const address = signIn.addressFor(await ours(request))
      // A browser follows no redirect to another site after a form, since our forms go to this server only.
      return request.headers.has('origin') ? signInPage(pages, address) : pageResponder(pages).redirect(address)
    },
    async serve(request, rest, address) {
      const { sessions, signIn } = await open()
      const seen = await ours(request, address)
      const answer =
        rest === 'start'
          ? signIn.leave(seen)
          : rest === 'callback'
            ? signIn.comeBack(seen)
            : rest === 'out'
              ? respondSignedOut(seen, { pages, sessions })
              : undefined
      return answer?.catch(error => {
        onError(error)
        return pages.failed('The sign-in cannot be reached now. Try again in a moment.', 503)
      })
    },
  }
}

function issuerOf({ issuer }: OidcOptions, { auth }: SignInDeps): string {
  const found = issuer ?? auth?.issuer
  if (found === undefined) throw new TypeError('oidc() needs an `issuer`, unless `auth` has one.')
  return found
}

/** How people are named, which has to be as their tokens name them: else nobody would ever be who they are. */
function principalClaimOf({ issuer, principalClaim }: OidcOptions, { auth }: SignInDeps): string | undefined {
  if (auth === undefined) return principalClaim
  if (principalClaim !== undefined && principalClaim !== auth.principalClaim)
    throw new TypeError('oidc() and `auth` have to name people by the same principalClaim.')
  if (auth.principalClaim === undefined && issuer !== undefined && issuer !== auth.issuer)
    throw new TypeError('oidc() and `auth` have to have the same issuer: a person is an issuer and a subject.')
  return auth.principalClaim
}
