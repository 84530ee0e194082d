// A server whose tools need a sign-in, and an authorization server for it.

import { afterEveryTest } from '../../../../test/every-file.js'
import type { ServerOptions } from '../../src/index.js'
import { type OAuthOptions, oauth } from '../../src/middleware/oauth/index.js'
import { serve } from '../flows/opened.js'
import { clientId, clientSecret, type IdentityProvider, identityProvider } from './identity-provider.js'

const open: IdentityProvider[] = []
afterEveryTest(async () => {
  for (const idp of open.splice(0)) await idp.close()
})

/** Who is there, as a server's own authorization may read it: by a cookie in a browser, by a header otherwise. */
export function identify({ headers }: Request): string | undefined {
  return headers.get('x-user') ?? /(?:^|; )user=(\w+)/.exec(headers.get('cookie') ?? '')?.[1]
}

export interface SetupOptions {
  server?: Partial<ServerOptions>
  oauth?: Partial<OAuthOptions>
}

export async function setUp(options: SetupOptions = {}) {
  const server = serve({ identify, ...options.server })
  const { url } = await server.listen({ port: 0 })
  const base = new URL(url).origin
  const idp = await identityProvider(`${base}/beckon/oauth/callback`)
  open.push(idp)
  const hub = oauth({
    issuer: idp.issuer,
    clientId,
    clientSecret,
    scopes: ['openid', 'notes'],
    ...options.oauth,
  })
  server.tool('who', hub, { task: 'optional' }, async (_input, ctx) => {
    const response = await hub.fetch(ctx, idp.userinfo)
    const { sub } = (await response.json()) as { sub?: string }
    return `${response.status} ${sub}`
  })
  return { server, base, idp, hub }
}
