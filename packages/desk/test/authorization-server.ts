// A small OpenID provider on a real port that signs real tokens, and can be told to cheat.
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type CryptoKey,
  exportJWK,
  type GenerateKeyPairResult,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose'
import { onTestFinished } from 'vitest'

/** What it does other than it should. */
interface Cheats {
  /** In place of the token endpoint's regular ID token. */
  idToken?: (claims: JWTPayload, regular: string) => Promise<string | undefined> | string | undefined
  metadata?: Record<string, unknown>
  /** Cannot say which keys it has. */
  hasNoKeys?: true
  /** Takes a code as often as it is brought. */
  codesCountTwice?: true
  /** In place of what the browser brings back. */
  comeBack?: (params: URLSearchParams) => void
}

export interface AuthorizationServer {
  readonly issuer: string
  readonly privateKey: CryptoKey
  readonly publicJwk: JWK
  readonly cheats: Cheats
  /** Who signs in next, beside the claims that every token has. */
  claims: JWTPayload
  /** Bodies and `Authorization` of what came to the token endpoint. */
  readonly tokenRequests: { readonly body: URLSearchParams; readonly authorization: string | undefined }[]
  sign(claims: JWTPayload): Promise<string>
  /** Answers at the token endpoint with this status from now on. */
  failWith(status: number): void
}

export const clientId = 'the desk'
export const clientSecret = 's3cret:with+odd/characters'

// Making an RSA key takes longer than a test.
let keys: Promise<GenerateKeyPairResult> | undefined
let strangers: Promise<GenerateKeyPairResult> | undefined

/** A private key that the provider does not have. */
export async function strangersKey(): Promise<CryptoKey> {
  strangers ??= generateKeyPair('RS256')
  return (await strangers).privateKey
}

export async function serveAuthorization(now: () => number): Promise<AuthorizationServer> {
  keys ??= generateKeyPair('RS256', { extractable: true })
  const { privateKey, publicKey } = await keys
  let tokenStatus: number | undefined
  const publicJwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, URLSearchParams>()
  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const self: AuthorizationServer = {
    issuer,
    privateKey,
    publicJwk,
    cheats: {},
    claims: { sub: 'alice', groups: ['release'] },
    tokenRequests: [],
    sign: claims => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey),
    failWith(status) {
      tokenStatus = status
    },
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', issuer)
    if (pathname === '/.well-known/openid-configuration') return send(response, 200, metadata())
    if (pathname === '/jwks' && !self.cheats.hasNoKeys) return send(response, 200, { keys: [publicJwk] })
    if (pathname === '/authorize') return authorize(searchParams, response)
    if (pathname === '/token') return token(request, response)
    send(response, 404, {})
  }

  function metadata(): object {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      authorization_response_iss_parameter_supported: true,
      ...self.cheats.metadata,
    }
  }

  function authorize(params: URLSearchParams, response: ServerResponse): void {
    const code = randomUUID()
    codes.set(code, params)
    const back = new URL(params.get('redirect_uri') ?? '')
    const answer = new URLSearchParams({ code, state: params.get('state') ?? '', iss: issuer })
    self.cheats.comeBack?.(answer)
    back.search = answer.toString()
    response.writeHead(302, { location: back.href }).end()
  }

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const body = new URLSearchParams(text)
    self.tokenRequests.push({ body, authorization: request.headers.authorization })
    if (tokenStatus !== undefined) return send(response, tokenStatus, {})
    const asked = codes.get(body.get('code') ?? '')
    if (!self.cheats.codesCountTwice) codes.delete(body.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      body.get('grant_type') === 'authorization_code' &&
      asked?.get('redirect_uri') === body.get('redirect_uri') &&
      asked?.get('code_challenge_method') === 'S256' &&
      asked.get('code_challenge') === challenge
    if (!isRight) return send(response, 400, { error: 'invalid_grant' })
    const seconds = Math.floor(now() / 1000)
    const nonce = asked?.get('nonce') ?? ''
    const claims = { iss: issuer, aud: clientId, iat: seconds, exp: seconds + 300, nonce, ...self.claims }
    const regular = await self.sign(claims)
    const idToken = self.cheats.idToken === undefined ? regular : await self.cheats.idToken(claims, regular)
    send(response, 200, { access_token: 'unused', token_type: 'Bearer', id_token: idToken })
  }

  return self
}

function send(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
