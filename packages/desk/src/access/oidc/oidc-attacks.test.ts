// What a hostile browser, person, network or provider may send while someone signs in.
import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto'
import { memoryStore } from 'beckon'
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { clientId, clientSecret, strangersKey } from '../../../test/authorization-server.js'
import { Browser } from '../../../test/browser.js'
import { type OidcDesk, oidcDesk } from '../../../test/oidc-desk.js'
import { oidcAccess } from './oidc-access.js'

type Cheat = (claims: JWTPayload, desk: OidcDesk) => Promise<string | undefined> | string | undefined

/** When the token was made. */
const madeAt = ({ iat = 0 }: JWTPayload): number => iat

const badTokens: { name: string; idToken: Cheat }[] = [
  {
    name: 'of another sign-in (nonce)',
    idToken: (claims, { provider }) => provider.sign({ ...claims, nonce: 'x'.repeat(43) }),
  },
  { name: 'without a nonce', idToken: ({ nonce: _, ...rest }, { provider }) => provider.sign(rest) },
  {
    name: 'of another issuer',
    idToken: (claims, { provider }) => provider.sign({ ...claims, iss: 'https://evil.example' }),
  },
  { name: 'for another client', idToken: (claims, { provider }) => provider.sign({ ...claims, aud: 'another' }) },
  {
    name: 'for several clients',
    idToken: (claims, { provider }) => provider.sign({ ...claims, aud: [clientId, 'another'] }),
  },
  {
    name: 'that another client may use',
    idToken: (claims, { provider }) => provider.sign({ ...claims, azp: 'another' }),
  },
  { name: 'that expired', idToken: (claims, { provider }) => provider.sign({ ...claims, exp: madeAt(claims) - 61 }) },
  { name: 'that never expires', idToken: ({ exp: _, ...rest }, { provider }) => provider.sign(rest) },
  { name: 'that is old', idToken: (claims, { provider }) => provider.sign({ ...claims, iat: madeAt(claims) - 3600 }) },
  { name: 'without a subject', idToken: ({ sub: _, ...rest }, { provider }) => provider.sign(rest) },
  ...['', ' ', { id: 'alice' }, ['alice'], 7].map(sub => ({
    name: `whose subject is ${JSON.stringify(sub)}`,
    idToken: ((claims, { provider }) => provider.sign({ ...claims, sub: sub as string })) satisfies Cheat,
  })),
  {
    name: 'that is made more than a minute from now',
    idToken: (claims, { provider }) => provider.sign({ ...claims, iat: madeAt(claims) + 62 }),
  },
  { name: 'without a signature', idToken: claims => new UnsecuredJWT(claims).encode() },
  {
    name: 'signed by another key',
    idToken: async claims =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(await strangersKey()),
  },
  {
    name: 'signed with the public key as a secret',
    idToken(claims, { provider }) {
      const pem = createPublicKey({ key: provider.publicJwk as JsonWebKey, format: 'jwk' }).export({
        type: 'spki',
        format: 'pem',
      })
      const parts = [{ alg: 'HS256', kid: 'one' }, claims].map(part =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      )
      return `${parts.join('.')}.${createHmac('sha256', pem).update(parts.join('.')).digest('base64url')}`
    },
  },
  {
    name: 'signed with the client’s secret',
    idToken: claims =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(clientSecret.padEnd(32, '.'))),
  },
  { name: 'that is none', idToken: () => 'nonsense' },
  { name: 'that is missing', idToken: () => undefined },
]

describe('an ID token', () => {
  it.each(badTokens)('$name lets nobody in', async ({ idToken }) => {
    const here = await oidcDesk()
    here.provider.cheats.idToken = claims => idToken(claims, here)
    const reply = await here.browser.visit((await here.leave()).href)
    expect(reply.status).toBe(403)
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(here.failures).toHaveLength(1)
    expect((await here.browser.send(here.server.url)).status).toBe(401)
  })

  it('may be of a provider whose clock is up to a minute ahead', async () => {
    const here = await oidcDesk()
    here.provider.claims = { sub: 'alice', iat: here.clock.now() / 1000 + 58 }
    expect((await here.browser.visit((await here.leave()).href)).status).toBe(303)
  })

  it('may name several clients when it was made for us', async () => {
    const here = await oidcDesk()
    here.provider.claims = { sub: 'alice', aud: [clientId, 'another'], azp: clientId }
    expect((await here.browser.visit((await here.leave()).href)).status).toBe(303)
  })
})

const badReturns: { name: string; change: (back: URL, desk: OidcDesk) => void | Promise<void>; status: number }[] = [
  { name: 'with another state', change: back => back.searchParams.set('state', 'x'.repeat(43)), status: 400 },
  { name: 'without a state', change: back => back.searchParams.delete('state'), status: 400 },
  { name: 'with two states', change: back => back.searchParams.append('state', 'x'), status: 400 },
  {
    name: 'of another provider (mix-up)',
    change: back => back.searchParams.set('iss', 'https://evil.example'),
    status: 400,
  },
  { name: 'of a provider that does not say who it is', change: back => back.searchParams.delete('iss'), status: 400 },
  { name: 'with a code of nobody', change: back => back.searchParams.set('code', 'guessed'), status: 403 },
  { name: 'without a code', change: back => back.searchParams.delete('code'), status: 400 },
  { name: 'with two codes', change: back => back.searchParams.append('code', 'x'), status: 400 },
  { name: 'with an error', change: back => back.searchParams.set('error', '<script>'), status: 403 },
  { name: 'to a browser that did not begin', change: (_, { browser }) => browser.cookies.clear(), status: 400 },
  {
    name: 'with a code that another person’s sign-in gave (injection)',
    async change(back, { leave }) {
      back.searchParams.set('code', (await leave(new Browser())).searchParams.get('code') ?? '')
    },
    status: 403,
  },
  {
    name: 'of a sign-in that another began (login CSRF)',
    async change(back, { leave }) {
      back.search = (await leave(new Browser())).search
    },
    status: 400,
  },
  { name: 'ten minutes later', change: (_, { clock }) => clock.advance(600_000), status: 400 },
  {
    name: 'with a changed way back',
    change(_, { browser }) {
      for (const [name, value] of browser.cookies) {
        const [secret, at] = value.split('.')
        browser.cookies.set(name, `${secret}.${at}.${Buffer.from('/other').toString('base64url')}`)
      }
    },
    status: 400,
  },
  {
    name: 'with a damaged cookie',
    change({ searchParams: _ }, { browser }) {
      for (const [name] of browser.cookies) browser.cookies.set(name, 'a.b.c.d')
    },
    status: 400,
  },
  {
    name: 'while the provider refuses us',
    change: (_, { provider }) => provider.failWith(401),
    status: 403,
  },
  {
    name: 'while the provider is down',
    change: (_, { provider }) => provider.failWith(500),
    status: 503,
  },
]

describe('coming back', () => {
  it.each(badReturns)('$name is a $status', async ({ change, status }) => {
    const here = await oidcDesk()
    const back = await here.leave()
    await change(back, here)
    const reply = await here.browser.visit(back.href)
    expect(reply.status).toBe(status)
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(reply.body).not.toMatch(/<script|evil|guessed/)
    expect((await here.browser.send(here.server.url)).status).toBe(401)
  })

  it('works once, also for a browser that still has its cookie', async () => {
    const { provider, browser, leave } = await oidcDesk()
    const back = await leave()
    const cookies = new Map(browser.cookies)
    expect((await browser.visit(back.href)).status).toBe(303)
    const thief = new Browser()
    for (const [name, value] of cookies) thief.cookies.set(name, value)
    expect((await thief.visit(back.href)).status).toBe(400)
    expect(provider.tokenRequests).toHaveLength(1)
  })

  it.each([
    ['after the first', false],
    ['at the same moment', true],
  ])('works once on all the desks of a store, %s, whatever the provider takes', async (_when, isAtOnce) => {
    const store = memoryStore()
    const here = await oidcDesk({ clientSecret, store, clock: Date })
    here.provider.cheats.codesCountTwice = true
    const publicUrl = here.server.url
    const other = oidcAccess({ issuer: here.provider.issuer, clientId, clientSecret, publicUrl, store })
    const back = await here.leave()
    const cookie = [...here.browser.cookies].map(pair => pair.join('=')).join('; ')
    const header = (name: string): string | undefined => ({ host: new URL(publicUrl).host, cookie })[name]
    const query = back.search.slice(1)
    const replay = () => other.handle({ method: 'GET', path: '/callback', query, remoteAddress: '', header })
    const statuses = isAtOnce
      ? (await Promise.all([here.browser.visit(back.href), replay()])).map(reply => reply?.status)
      : [(await here.browser.visit(back.href)).status, (await replay())?.status]
    expect(statuses.sort()).toEqual([303, 400])
  })

  it('is not possible by POST, or within a frame', async () => {
    const { browser, leave } = await oidcDesk()
    const back = await leave()
    expect((await browser.fromPage(back.href, { method: 'POST' })).status).toBe(405)
    const framed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' }
    expect((await browser.visit(back.href, framed)).status).toBe(403)
  })

  it('is not heard after ten failures in a minute', async () => {
    const { provider, server, browser, leave } = await oidcDesk()
    for (let index = 0; index < 10; index++) {
      expect((await browser.visit(`${server.url}/callback?code=${index}&state=guess`)).status).toBe(400)
    }
    expect((await browser.visit((await leave()).href)).status).toBe(429)
    expect(provider.tokenRequests).toHaveLength(0)
  })

  it('needs no iss from a provider that does not send it', async () => {
    const { provider, browser, leave } = await oidcDesk()
    provider.cheats.metadata = { authorization_response_iss_parameter_supported: undefined }
    provider.cheats.comeBack = params => params.delete('iss')
    expect((await browser.visit((await leave()).href)).status).toBe(303)
  })
})
