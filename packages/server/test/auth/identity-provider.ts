// A real authorization server on this machine, which clients can register at by themselves, and which makes access tokens for
// the resource that they name.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { type ClientMetadata, Provider } from 'oidc-provider'
import { onTestFinished } from 'vitest'

export interface IdentityProvider {
  readonly issuer: string
  /** What it signs with: for tests that forge what it never would. */
  readonly key: JWK & { readonly kid: string }
  /** Requests that it got, as `GET /jwks`. */
  readonly seen: string[]
  /** Answers everything with 503 from now on, or again as it should. */
  isAway: boolean
  /** Has it know a client, before anybody uses it. */
  knows(client: ClientMetadata): void
  /** Withdraws an access token. */
  revoke(token: string): Promise<void>
}

export interface IdentityProviderOptions {
  /** What access tokens are. Default: JWTs. */
  readonly tokens?: 'jwt' | 'opaque'
}

/** The scopes that it can give for a resource. */
const scopes = ['notes:read', 'notes:write', 'notes:delete']

/** A client that may ask about tokens. */
export const resourceServer = { client_id: 'the server', client_secret: 'a secret of the server' }

/** How long an access token lives. */
export const accessTokenSeconds = 300

// Making an RSA key takes longer than most tests.
let signing: Promise<JWK & { kid: string }> | undefined

async function makeKey(): Promise<JWK & { kid: string }> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: 'the key', alg: 'RS256', use: 'sig' }
}

export async function identityProvider({ tokens = 'jwt' }: IdentityProviderOptions = {}): Promise<IdentityProvider> {
  signing ??= makeKey()
  const key = await signing
  const http = createServer((request, response) => void serve(request, response))
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const clients: ClientMetadata[] = []
  const make = (): Provider =>
    new Provider(issuer, {
      clients: [
        ...clients,
        {
          ...resourceServer,
          redirect_uris: [],
          response_types: [],
          grant_types: [],
          token_endpoint_auth_method: 'client_secret_basic',
        },
      ],
      jwks: { keys: [key] },
      scopes: ['openid', 'offline_access', ...scopes],
      claims: { openid: ['sub'] },
      features: {
        devInteractions: { enabled: false },
        registration: { enabled: true },
        introspection: { enabled: true },
        revocation: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_ctx, resource) => ({
            scope: scopes.join(' '),
            audience: resource,
            accessTokenFormat: tokens,
            accessTokenTTL: accessTokenSeconds,
            ...(tokens === 'jwt' && { jwt: { sign: { alg: 'RS256' } } }),
          }),
          useGrantedResource: () => true,
        },
      },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
      ttl: { Interaction: 600, Session: 600, Grant: 600, IdToken: 600, AuthorizationCode: 60 },
      cookies: { keys: ['a key for the cookies of the tests'] },
    })

  /** Made for the first request, when the addresses of all clients are known. */
  let made: Provider | undefined
  const provider = (): Provider => {
    made ??= make()
    return made
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    self.seen.push(`${request.method} ${request.url?.split('?')[0]}`)
    if (self.isAway) return void response.writeHead(503).end()
    if (request.method === 'POST' && request.url === '/reg') await leaveScopesOpen(request)
    if (!request.url?.startsWith('/interaction/')) return void provider().callback()(request, response)
    if (request.method !== 'POST') return show(request, response)
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    return interact(request, response, form)
  }

  /** A client names the scopes that it needs first. This provider, as most, does not hold it to those for good. */
  async function leaveScopesOpen(request: IncomingMessage): Promise<void> {
    const { scope: _, ...body } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    Object.assign(request, { body })
  }

  async function show(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params } = await provider().interactionDetails(request, response)
    const fields =
      prompt.name === 'login'
        ? '<label>Name <input name="login"></label><button name="do" value="login">Sign in</button>'
        : `<p id="scope">${params.scope}</p><button name="do" value="allow">Allow</button>`
    response.setHeader('content-type', 'text/html')
    response.end(
      `<!doctype html><html lang="en"><title>${prompt.name}</title><form method="post">${fields}</form></html>`,
    )
  }

  async function interact(request: IncomingMessage, response: ServerResponse, form: URLSearchParams): Promise<void> {
    const { session, params, grantId } = await provider().interactionDetails(request, response)
    if (form.get('do') === 'login') {
      const result = { login: { accountId: String(form.get('login')) } }
      return provider().interactionFinished(request, response, result, { mergeWithLastSubmission: false })
    }
    const known = grantId === undefined ? undefined : await provider().Grant.find(grantId)
    const accountId = String(session?.accountId)
    const grant = known ?? new (provider().Grant)({ accountId, clientId: String(params.client_id) })
    grant.addOIDCScope(String(params.scope ?? ''))
    for (const resource of [params.resource].flat())
      if (typeof resource === 'string') grant.addResourceScope(resource, String(params.scope ?? ''))
    const result = { consent: { grantId: await grant.save() } }
    return provider().interactionFinished(request, response, result, { mergeWithLastSubmission: true })
  }

  const self: IdentityProvider = {
    issuer,
    key,
    seen: [],
    isAway: false,
    knows: client => void clients.push(client),
    async revoke(token) {
      await (await provider().AccessToken.find(token))?.destroy()
    },
  }
  return self
}
