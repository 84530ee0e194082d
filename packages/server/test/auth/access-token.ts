// An access token of a real provider, for somebody who signed in and consented.
import { createHash, randomBytes } from 'node:crypto'
import type { IdentityProvider } from './identity-provider.js'
import type { Person } from './person.js'

const callback = 'http://127.0.0.1:1/callback'

/** A client that has the provider make tokens. */
export const tokenClient = {
  client_id: 'an application',
  redirect_uris: [callback],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
} as const

export async function accessToken(
  { issuer }: IdentityProvider,
  person: Person,
  { resource, scope }: { readonly resource: string; readonly scope: string },
): Promise<string> {
  const verifier = randomBytes(32).toString('base64url')
  const params = {
    client_id: tokenClient.client_id,
    response_type: 'code',
    redirect_uri: callback,
    scope,
    resource,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  const back = await person.open(`${issuer}/auth?${new URLSearchParams(params)}`, callback)
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    client_id: tokenClient.client_id,
    redirect_uri: callback,
    code_verifier: verifier,
    resource,
  })
  const response = await fetch(`${issuer}/token`, { method: 'POST', body })
  const { access_token: token } = (await response.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`There is no token, but ${response.status}.`)
  return token
}
