// The back channel: a code for an ID token, and the ID token for a person (OpenID Connect Core 3.1.3).

import type { Clock } from 'beckon'
import { type JWTPayload, jwtVerify } from 'jose'
import { sameSecret } from '../secret.js'
import type { Proofs } from './attempt.js'
import { fetchJson } from './fetch-json.js'
import type { Provider } from './provider.js'

/** How far the provider's clock may be off. */
const toleranceSeconds = 30

/** An ID token that comes fresh from the provider is not older than this. */
const maxAgeSeconds = 600

export interface Client {
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly redirectUri: string
  readonly algorithms: string[]
  readonly clock: Pick<Clock, 'now'>
}

/** An ID token, or what came in its place, that proves nothing. */
export class IdTokenError extends Error {}

/** Exchanges a code for the claims of a verified ID token. */
export async function exchangeCode(
  code: string,
  { verifier, nonce }: Proofs,
  { provider, client }: { readonly provider: Provider; readonly client: Client },
): Promise<JWTPayload> {
  const { id_token: idToken } = await fetchJson(provider.tokenEndpoint, tokenRequest(code, verifier, provider, client))
  if (typeof idToken !== 'string')
    throw new IdTokenError('The provider sent no ID token. Is "openid" among the scopes?')
  const { payload } = await jwtVerify(idToken, provider.keys, {
    issuer: provider.issuer,
    audience: client.clientId,
    algorithms: client.algorithms,
    requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    maxTokenAge: maxAgeSeconds,
    clockTolerance: toleranceSeconds,
    currentDate: new Date(client.clock.now()),
  })
  if (typeof payload.nonce !== 'string' || !sameSecret(payload.nonce, nonce)) {
    throw new IdTokenError('The ID token is for another sign-in: its nonce is not ours.')
  }
  const isShared = Array.isArray(payload.aud) && payload.aud.length > 1
  if (payload.azp === undefined ? isShared : payload.azp !== client.clientId) {
    throw new IdTokenError('The ID token was made for another client.')
  }
  return payload
}

function tokenRequest(
  code: string,
  verifier: string,
  { takesBasic }: Provider,
  { clientId, clientSecret, redirectUri }: Client,
): RequestInit {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  })
  if (clientSecret !== undefined && takesBasic) {
    const credentials = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64')
    return { method: 'POST', body, headers: { authorization: `Basic ${credentials}` } }
  }
  body.set('client_id', clientId)
  if (clientSecret !== undefined) body.set('client_secret', clientSecret)
  return { method: 'POST', body }
}

/** As RFC 6749 2.3.1 wants it within Basic. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}
