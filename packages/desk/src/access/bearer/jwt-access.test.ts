import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { type AccessServer, serveAccess } from '../../../test/access-server.js'
import { type AuthorizationServer, serveAuthorization, strangersKey } from '../../../test/authorization-server.js'
import { anyOf } from '../any-of.js'
import { bearerAccess } from './bearer-access.js'
import { type JwtAccessOptions, jwtAccess } from './jwt-access.js'

const at = Date.UTC(2026, 0, 1)
const seconds = at / 1000
const audience = 'https://desk.example'

interface World {
  readonly issuer: AuthorizationServer
  readonly server: AccessServer
  readonly clock: { at: number; now(): number }
  /** Claims that are right. */
  readonly claims: JWTPayload
  send(token: string): Promise<{ readonly status: number; readonly body: string }>
}

async function world(options: Partial<JwtAccessOptions> = {}): Promise<World> {
  const clock = { at, now: () => clock.at }
  const issuer = await serveAuthorization(clock.now)
  const jwksUri = `${issuer.issuer}/jwks`
  const server = await serveAccess(jwtAccess({ issuer: issuer.issuer, audience, jwksUri, clock, ...options }))
  return {
    issuer,
    server,
    clock,
    claims: { iss: issuer.issuer, aud: audience, sub: 'alice', groups: ['release'], exp: seconds + 300 },
    send: token => server.send('/', { headers: { authorization: `Bearer ${token}`, 'x-beckon-device': 'd' } }),
  }
}

function sign(claims: JWTPayload, key: CryptoKey, alg: string, kid = 'one'): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key)
}

describe('a JWT', () => {
  it('says who someone is, until it expires', async () => {
    const { issuer, claims, send } = await world()
    const reply = await send(await issuer.sign(claims))
    const expiresAt = at + 360_000
    const principal = `${issuer.issuer}#alice`
    expect(JSON.parse(reply.body)).toEqual({ principal, groups: ['release'], device: 'd', expiresAt })
  })

  it('may name people and groups in claims of its own', async () => {
    const { issuer, claims, send } = await world({ principalClaim: 'email', groupsClaim: 'https://desk.example/roles' })
    const email = 'alice@corp.example'
    const named = { ...claims, email, email_verified: true, 'https://desk.example/roles': 'release' }
    expect(JSON.parse((await send(await issuer.sign(named))).body)).toMatchObject({
      principal: email,
      groups: ['release'],
    })
    for (const email_verified of [false, 'false', null, 0])
      expect((await send(await issuer.sign({ ...named, email_verified }))).status).toBe(401)
  })

  it('is checked against keys that are given', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one' }] }
    const clock = { now: () => at }
    const server = await serveAccess(jwtAccess({ issuer: 'https://id.example', audience, jwks, clock }))
    const claims = { iss: 'https://id.example', aud: [audience, 'other'], sub: 'alice', exp: seconds + 60 }
    const authorization = `Bearer ${await sign(claims, privateKey, 'ES256')}`
    expect((await server.send('/', { headers: { authorization } })).status).toBe(200)
  })

  it('takes an issuer whose clock is off by a minute', async () => {
    const { issuer, claims, clock, send } = await world()
    const token = await issuer.sign(claims)
    clock.at += 359_000
    expect((await send(token)).status).toBe(200)
    clock.at += 2_000
    expect((await send(token)).status).toBe(401)
  })

  it('that expired is no guess, however often it comes', async () => {
    const { issuer, claims, send } = await world()
    for (let index = 0; index < 12; index++) {
      expect((await send(await issuer.sign({ ...claims, jti: `${index}`, exp: seconds - 61 }))).status).toBe(401)
    }
    expect((await send(await issuer.sign(claims))).status).toBe(200)
  })

  it('that is forged is a guess', async () => {
    const { claims, send } = await world()
    const privateKey = await strangersKey()
    for (let index = 0; index < 11; index++) {
      const forged = await sign({ ...claims, jti: `${index}` }, privateKey, 'RS256')
      expect((await send(forged)).status).toBe(index < 10 ? 401 : 429)
    }
  })

  it('is a 503 when its keys cannot be had', async () => {
    const { issuer, claims, send, server } = await world({ jwksUri: 'http://127.0.0.1:1/jwks' })
    expect((await send(await issuer.sign(claims))).status).toBe(503)
    expect(server.errors).toHaveLength(1)
  })

  it('is good for a day while its keys cannot be had, and no longer', async () => {
    const { issuer, claims, send, clock } = await world()
    const later = (hours: number) => {
      clock.at += hours * 60 * 60 * 1000
      return issuer.sign({ ...claims, exp: clock.at / 1000 + 300 })
    }
    expect((await send(await issuer.sign(claims))).status).toBe(200)
    issuer.cheats.hasNoKeys = true
    expect((await send(await later(23))).status).toBe(200)
    expect((await send(await later(2))).status).toBe(503)
  })

  it('is a 503 where its key is a new one that cannot be had', async () => {
    const { issuer, claims, send, clock } = await world()
    expect((await send(await issuer.sign(claims))).status).toBe(200)
    issuer.cheats.hasNoKeys = true
    clock.at += 31_000
    expect((await send(await sign(claims, issuer.privateKey, 'RS256', 'two'))).status).toBe(503)
    expect((await send(await issuer.sign(claims))).status).toBe(200)
  })

  it('does not get in the way of bearer tokens, nor they in its', async () => {
    const clock = { now: () => at }
    const issuer = await serveAuthorization(clock.now)
    const jwt = jwtAccess({ issuer: issuer.issuer, audience, jwksUri: `${issuer.issuer}/jwks`, clock })
    const server = await serveAccess(anyOf(bearerAccess({ tokens: { plain: { principal: 'bob' } }, clock }), jwt))
    for (let index = 0; index < 12; index++) {
      const claims = { iss: issuer.issuer, aud: audience, sub: `person-${index}`, exp: seconds + 60 }
      const authorization = `Bearer ${await issuer.sign(claims)}`
      expect((await server.send('/', { headers: { authorization } })).status).toBe(200)
    }
    expect((await server.send('/', { headers: { authorization: 'Bearer plain' } })).status).toBe(200)
  })
})

const attacks: { name: string; token: (world: World) => string | Promise<string> }[] = [
  { name: 'no signature (alg none)', token: ({ claims }) => new UnsecuredJWT(claims).encode() },
  {
    name: 'no signature, under the algorithm of the key',
    token: async ({ issuer, claims }) => `${(await issuer.sign(claims)).split('.').slice(0, 2).join('.')}.`,
  },
  {
    name: 'HS256 with the public key as the secret',
    token({ issuer, claims }) {
      const pem = createPublicKey({ key: issuer.publicJwk as JsonWebKey, format: 'jwk' }).export({
        type: 'spki',
        format: 'pem',
      })
      const parts = [{ alg: 'HS256', kid: 'one', typ: 'JWT' }, claims].map(part =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      )
      return `${parts.join('.')}.${createHmac('sha256', pem).update(parts.join('.')).digest('base64url')}`
    },
  },
  {
    name: 'another key under the same name',
    token: async ({ claims }) => sign(claims, await strangersKey(), 'RS256'),
  },
  {
    name: 'a key that the token brings along',
    async token({ claims }) {
      const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
      const header = { alg: 'RS256', kid: 'one', jwk: await exportJWK(publicKey), jku: 'https://evil.example/jwks' }
      return new SignJWT(claims).setProtectedHeader(header).sign(privateKey)
    },
  },
  { name: 'a key that is not there', token: ({ issuer, claims }) => sign(claims, issuer.privateKey, 'RS256', 'two') },
  {
    name: 'claims that were changed',
    async token({ issuer, claims }) {
      const [header, , signature] = (await issuer.sign(claims)).split('.')
      return `${header}.${Buffer.from(JSON.stringify({ ...claims, sub: 'root' })).toString('base64url')}.${signature}`
    },
  },
  { name: 'another issuer', token: ({ issuer, claims }) => issuer.sign({ ...claims, iss: 'https://evil.example' }) },
  { name: 'an issuer with a slash', token: ({ issuer, claims }) => issuer.sign({ ...claims, iss: `${claims.iss}/` }) },
  { name: 'another audience', token: ({ issuer, claims }) => issuer.sign({ ...claims, aud: 'https://other.example' }) },
  { name: 'no audience', token: ({ issuer, claims: { aud: _, ...rest } }) => issuer.sign(rest) },
  { name: 'an expired token', token: ({ issuer, claims }) => issuer.sign({ ...claims, exp: seconds - 61 }) },
  { name: 'a token that never expires', token: ({ issuer, claims: { exp: _, ...rest } }) => issuer.sign(rest) },
  { name: 'a token for later', token: ({ issuer, claims }) => issuer.sign({ ...claims, nbf: seconds + 61 }) },
  {
    name: 'a token that is bound to a key',
    token: ({ issuer, claims }) => issuer.sign({ ...claims, cnf: { jkt: 'x' } }),
  },
  {
    name: 'something else that the issuer has signed',
    token: ({ issuer, claims }) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one', typ: 'logout+jwt' }).sign(issuer.privateKey),
  },
  { name: 'nobody', token: ({ issuer, claims: { sub: _, ...rest } }) => issuer.sign(rest) },
  { name: 'an empty name', token: ({ issuer, claims }) => issuer.sign({ ...claims, sub: '' }) },
  { name: 'a very long name', token: ({ issuer, claims }) => issuer.sign({ ...claims, sub: 'x'.repeat(256) }) },
  { name: 'no JWT at all', token: () => 'eyJhbGciOiJSUzI1NiJ9.e30.AAAA' },
  { name: 'some other token', token: () => 'opaque' },
]

describe('a JWT that proves nothing', () => {
  it.each(attacks)('$name is a 401', async ({ token }) => {
    const here = await world()
    const reply = await here.send(await token(here))
    expect(reply.status).toBe(401)
    expect(here.server.errors).toEqual([])
  })

  it('is one with an algorithm that was not named', async () => {
    const { issuer, claims, send } = await world({ algorithms: ['ES256'] })
    expect((await send(await issuer.sign(claims))).status).toBe(401)
  })

  it('is not accepted in a URL', async () => {
    const { issuer, claims, server } = await world()
    expect((await server.upgrade(`/live?token=${await issuer.sign(claims)}`)).status).toBe(401)
  })
})

describe('settings', () => {
  const right = { issuer: 'https://id.example', audience, jwksUri: 'https://id.example/jwks' }

  it.each<[string, Partial<JwtAccessOptions>, RegExp]>([
    ['a shared secret', { algorithms: ['HS256'] }, /not "HS256"/],
    ['no signature', { algorithms: ['RS256', 'none'] }, /not "none"/],
    ['no algorithm', { algorithms: [] }, /algorithms/],
    ['keys without TLS', { jwksUri: 'http://id.example/jwks' }, /jwksUri/],
    ['keys from nowhere', { jwksUri: 'jwks' }, /jwksUri/],
    ['two sources of keys', { jwks: { keys: [] } }, /not both/],
    ['any audience', { audience: '' }, /audience/],
  ])('with %s are refused at once', (_name, wrong, message) => {
    expect(() => jwtAccess({ ...right, ...wrong })).toThrow(message)
  })
})
