// A desk on a real port that people sign in to at a real provider.
import { type Access, type OidcAccessOptions, oidcAccess } from '../src/access/index.js'
import { type AccessServer, serveAccess } from './access-server.js'
import { type AuthorizationServer, clientId, clientSecret, serveAuthorization } from './authorization-server.js'
import { Browser } from './browser.js'

export interface OidcDesk {
  readonly provider: AuthorizationServer
  readonly server: AccessServer
  readonly browser: Browser
  readonly clock: { now(): number; advance(ms: number): void }
  /** What the desk was told of sign-ins that failed. */
  readonly failures: unknown[]
  /** Begins to sign in, and stops where the provider sends the browser back. */
  leave(browser?: Browser): Promise<URL>
}

export async function oidcDesk(options: Partial<OidcAccessOptions> = { clientSecret }): Promise<OidcDesk> {
  let now = Date.UTC(2026, 0, 1)
  const clock = {
    now: () => now,
    advance(ms: number): void {
      now += ms
    },
  }
  const { now: providersTime } = options.clock ?? clock
  const provider = await serveAuthorization(providersTime)
  const failures: unknown[] = []
  // The desk's address is in its settings, and is known only once it listens.
  let access: Access | undefined
  const later: Access = {
    authenticate: async request => access?.authenticate(request),
    handle: async request => access?.handle(request),
    challenge: request => access?.challenge?.(request) ?? { status: 500, headers: [], body: '' },
  }
  const server = await serveAccess(later)
  access = oidcAccess({
    issuer: provider.issuer,
    clientId,
    publicUrl: server.url,
    clock,
    onError: error => failures.push(error),
    ...options,
  })
  const browser = new Browser()
  return {
    provider,
    server,
    browser,
    clock,
    failures,
    async leave(from = browser) {
      const begun = await from.visit(`${server.url}/sign-in?next=/asks`)
      const authorized = await from.visit(begun.headers.location ?? '')
      return new URL(authorized.headers.location ?? '')
    },
  }
}
