// An OpenID provider on a port of this machine, at which anybody is whoever they say.
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { createServer } from 'node:http'

/** @param {() => number} now */
export async function openProvider(now) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  /** @type {Map<string, { sub: string, nonce: string, challenge: string, clientId: string }>} */
  const codes = new Map()
  const http = createServer(async (request, response) => {
    const body = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    const { status = 200, ...reply } = answer(request.url ?? '', body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  await new Promise(resolve => http.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = http.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

  /** @param {string} url @param {URLSearchParams} body @returns {Record<string, unknown> & { status?: number }} */
  function answer(url, body) {
    if (url === '/.well-known/openid-configuration') {
      const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }
      const offers = { jwks_uri: `${issuer}/jwks`, authorization_response_iss_parameter_supported: true }
      return { issuer, ...endpoints, ...offers, id_token_signing_alg_values_supported: ['ES256'] }
    }
    if (url === '/jwks')
      return { keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'ES256', kid: '1', use: 'sig' }] }
    const code = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (code === undefined || code.challenge !== challenge) return { status: 400, error: 'invalid_grant' }
    return { access_token: 'a', token_type: 'bearer', id_token: idToken(code) }
  }

  /** @param {{ sub: string, nonce: string, clientId: string }} code */
  function idToken({ sub, nonce, clientId }) {
    const iat = Math.floor(now() / 1000)
    const claims = { iss: issuer, sub, aud: clientId, nonce, iat, exp: iat + 600 }
    const text = [{ alg: 'ES256', kid: '1' }, claims]
      .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${text}.${signature.toString('base64url')}`
  }

  return {
    issuer,
    /**
     * Signs somebody in, and gives where their browser is sent back to.
     * @param {string} sub
     * @param {URL} asked
     */
    signIn(sub, { searchParams: asked }) {
      const code = randomUUID()
      const [nonce, challenge] = [asked.get('nonce') ?? '', asked.get('code_challenge') ?? '']
      codes.set(code, { sub, nonce, challenge, clientId: asked.get('client_id') ?? '' })
      const back = new URL(asked.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: issuer }).toString()
      return back.href
    },
    close: () => void http.close(() => {}),
  }
}
