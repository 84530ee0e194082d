// A real authorization server on this machine, with pages of its own to sign in and to consent, and what it did.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export const clientId = 'mcp'
export const clientSecret = 'a-secret-that-only-the-server-knows'

export interface IdentityProvider {
  readonly issuer: string
  /** Where the API is that takes its tokens. */
  readonly userinfo: string
  /** What it was asked for: `POST /token`, and the kinds of grants. */
  readonly seen: string[]
  /** How long access tokens are good for, from now on. */
  ttlSeconds: number
  /** Ends everything that was granted to an account. */
  revoke(account: string): Promise<void>
  close(): Promise<void>
}

export async function identityProvider(redirectUri: string): Promise<IdentityProvider> {
  const seen: string[] = []
  const http = createServer((request, response) => void serve(request, response))
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    scopes: ['openid', 'notes', 'photos'],
    claims: { openid: ['sub'] },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    ttl: {
      AccessToken: () => idp.ttlSeconds,
      Interaction: 600,
      Session: 600,
      Grant: 600,
      RefreshToken: 600,
      IdToken: 600,
    },
    cookies: { keys: ['a key for the cookies of the tests'] },
  })
  provider.on('grant.success', ({ oidc }) => seen.push(String(oidc.params?.grant_type)))
  provider.on('grant.error', ({ oidc }, error) => seen.push(`${oidc.params?.grant_type}: ${error.message}`))

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.startsWith('/interaction/')) return void provider.callback()(request, response)
    if (request.method !== 'POST') return void show(request, response)
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    await interact(request, response, form)
  }

  async function show(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params } = await provider.interactionDetails(request, response)
    const fields =
      prompt.name === 'login'
        ? '<label>Name <input name="login"></label><button name="do" value="login">Sign in</button>'
        : `<p id="scope">${params.scope}</p><button name="do" value="allow">Allow</button>`
    response.setHeader('content-type', 'text/html')
    response.end(
      `<!doctype html><html lang="en"><title>${prompt.name}</title><form method="post">${fields}<button name="do" value="deny">Deny</button></form></html>`,
    )
  }

  async function interact(request: IncomingMessage, response: ServerResponse, form: URLSearchParams): Promise<void> {
    const { session, params } = await provider.interactionDetails(request, response)
    if (form.get('do') === 'deny') {
      const result = { error: 'access_denied', error_description: 'The person said no.' }
      return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
    }
    if (form.get('do') === 'login') {
      const result = { login: { accountId: String(form.get('login')) } }
      return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
    }
    const accountId = String(session?.accountId)
    const grant = new provider.Grant({ accountId, clientId })
    grant.addOIDCScope(String(params.scope))
    const grantId = await grant.save()
    grants.set(accountId, [...(grants.get(accountId) ?? []), grantId])
    const result = { consent: { grantId } }
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
  }

  const grants = new Map<string, string[]>()
  const idp: IdentityProvider = {
    issuer,
    userinfo: `${issuer}/me`,
    seen,
    ttlSeconds: 3600,
    async revoke(account) {
      for (const id of grants.get(account) ?? []) {
        await (await provider.Grant.find(id))?.destroy()
        await provider.AccessToken.revokeByGrantId(id)
        await provider.RefreshToken.revokeByGrantId(id)
      }
    },
    close: () =>
      new Promise(resolve => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return idp
}
