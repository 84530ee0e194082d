// The back channel: a code for an ID token, and the ID token for a person (OpenID Connect Core 3.1.3).

import { type JWTPayload, jwtVerify } from 'jose'
import { defaultToleranceMs } from '../auth/check-jwt.js'
import { clientAuthorization } from '../auth/client-authorization.js'
import { fetchJson } from '../auth/fetch-json.js'
import type { Issuer, IssuerMetadata } from '../auth/issuer.js'
import type { Clock } from '../runtime/clock.js'
import type { Proofs } from './attempt.js'
import { sameSecret } from './secret.js'

/** An ID token that comes fresh from the provider is not older than this. */
const maxAgeSeconds = 600

/** Us, as a client of the provider. */
export interface Client {
  readonly issuer: Issuer
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly redirectUri: string
  readonly algorithms: string[]
  readonly clock: Pick<Clock, 'now'>
}

/** An ID token, or what came in its place, that proves nothing. */
export class IdTokenError extends Error {}

/** What a code was good for. */
export interface Exchanged {
  /** Of a verified ID token. */
  readonly claims: JWTPayload
  /** As it came, for what else the provider says of the person. */
  readonly accessToken: unknown
}

/** Exchanges a code for the claims of a verified ID token. */
export async function exchangeCode(
  code: string,
  proofs: Proofs,
  { client, metadata }: { readonly client: Client; readonly metadata: IssuerMetadata },
): Promise<Exchanged> {
  const found = await fetchJson(metadata.endpoint('token_endpoint'), tokenRequest(code, proofs, { client, metadata }))
  const { id_token: idToken, access_token: accessToken } = found
  if (typeof idToken !== 'string')
    throw new IdTokenError('The provider sent no ID token. Is "openid" among the scopes?')
  const { payload } = await jwtVerify(idToken, client.issuer.keys, {
    issuer: client.issuer.url,
    audience: client.clientId,
    algorithms: client.algorithms,
    requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    maxTokenAge: maxAgeSeconds,
    clockTolerance: defaultToleranceMs / 1000,
    currentDate: new Date(client.clock.now()),
  })
  if (typeof payload.nonce !== 'string' || !sameSecret(payload.nonce, proofs.nonce)) {
    throw new IdTokenError('The ID token is for another sign-in: its nonce is not ours.')
  }
  const isShared = Array.isArray(payload.aud) && payload.aud.length > 1
  if (payload.azp === undefined ? isShared : payload.azp !== client.clientId) {
    throw new IdTokenError('The ID token was made for another client.')
  }
  return { claims: payload, accessToken }
}

function tokenRequest(
  code: string,
  { verifier }: Proofs,
  { client, metadata }: { readonly client: Client; readonly metadata: IssuerMetadata },
): RequestInit {
  const { clientId, clientSecret, redirectUri } = client
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  })
  if (clientSecret !== undefined && metadata.takesBasic)
    return { method: 'POST', body, headers: { authorization: clientAuthorization(clientId, clientSecret) } }
  body.set('client_id', clientId)
  if (clientSecret !== undefined) body.set('client_secret', clientSecret)
  return { method: 'POST', body }
}
