import { memoryStore } from 'beckon'
import { describe, expect, it } from 'vitest'
import { serveAccess } from '../../../test/access-server.js'
import { clientId, clientSecret, serveAuthorization } from '../../../test/authorization-server.js'
import { oidcDesk } from '../../../test/oidc-desk.js'
import { type OidcAccessOptions, oidcAccess } from './oidc-access.js'

const hourMs = 60 * 60 * 1000

describe('signing in', () => {
  it('leads to the provider and back to where the person wanted to go', async () => {
    const { provider, server, browser, clock } = await oidcDesk()
    const reply = await browser.follow(`${server.url}/asks/7?view=full`)
    expect(reply.url).toBe(`${server.url}/asks/7?view=full`)
    const device = expect.stringMatching(/^[\w-]{22}$/)
    const expiresAt = clock.now() + 24 * hourMs
    expect(JSON.parse(reply.body)).toEqual({
      principal: `${provider.issuer}#alice`,
      groups: ['release'],
      device,
      expiresAt,
    })
    expect([...browser.cookies.keys()].some(name => name.includes('sign-in'))).toBe(false)
  })

  it('asks for a code with PKCE, state and nonce, all different, and keeps the secret to itself', async () => {
    const { provider, server, browser } = await oidcDesk({ clientSecret, scopes: ['openid', 'email'] })
    const begun = await browser.visit(`${server.url}/sign-in`)
    const { searchParams, origin, pathname } = new URL(begun.headers.location ?? '')
    expect(`${origin}${pathname}`).toBe(`${provider.issuer}/authorize`)
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(searchParams)
    expect(rest).toEqual({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: `${server.url}/callback`,
      scope: 'openid email',
      code_challenge_method: 'S256',
    })
    const kept = [...browser.cookies.values()].join().split('.')[0]
    expect(new Set([state, nonce, code_challenge, kept]).size).toBe(4)
    await browser.follow(begun.headers.location ?? '')
    const [request] = provider.tokenRequests
    const basic = Buffer.from(request?.authorization?.replace('Basic ', '') ?? '', 'base64').toString()
    expect(basic).toBe('the+desk:s3cret%3Awith%2Bodd%2Fcharacters')
    expect(request?.body.get('client_secret')).toBeNull()
  })

  it('sends its secret in the body where the provider wants it there, and none when there is none', async () => {
    const first = await oidcDesk()
    first.provider.cheats.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
    await first.browser.follow(`${first.server.url}/sign-in`)
    expect(first.provider.tokenRequests[0]?.body.get('client_secret')).toBe(clientSecret)
    const second = await oidcDesk({})
    expect((await second.browser.follow(`${second.server.url}/sign-in`)).status).toBe(200)
    expect(second.provider.tokenRequests[0]).toMatchObject({ authorization: undefined })
    expect(second.provider.tokenRequests[0]?.body.get('client_id')).toBe(clientId)
    expect(second.provider.tokenRequests[0]?.body.get('client_secret')).toBeNull()
  })

  it('is a 401 with a way to sign in for a script, and for a socket', async () => {
    const { server } = await oidcDesk()
    expect((await server.send('/asks')).status).toBe(401)
    expect((await server.upgrade('/live', { headers: { origin: server.url } })).status).toBe(401)
    const html = await server.send('/asks', { headers: { accept: 'text/html' } })
    expect(html.body).toContain('href="/sign-in?next=%2Fasks"')
  })

  it('is skipped by someone who is in', async () => {
    const { server, browser } = await oidcDesk()
    await browser.follow(`${server.url}/sign-in`)
    expect((await browser.visit(`${server.url}/sign-in?next=/asks`)).headers.location).toBe('/asks')
  })

  it.each([
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/sign-in?next=/',
    '/sign-out',
    '/callback?code=1',
  ])('does not lead on to %s', async next => {
    const { server, browser } = await oidcDesk()
    const reply = await browser.follow(`${server.url}/sign-in?next=${encodeURIComponent(next)}`)
    expect(reply).toMatchObject({ status: 200, url: `${server.url}/` })
  })

  it('goes on after the provider could not be reached', async () => {
    const { provider, server, browser, clock } = await oidcDesk()
    provider.cheats.metadata = { jwks_uri: undefined }
    expect((await browser.visit(`${server.url}/sign-in`)).status).toBe(503)
    delete provider.cheats.metadata
    clock.advance(1_000)
    expect((await browser.follow(`${server.url}/sign-in`)).status).toBe(200)
  })

  it('is over https with cookies that no neighbour can set', async () => {
    const provider = await serveAuthorization(Date.now)
    const publicUrl = 'https://desk.example'
    const server = await serveAccess(oidcAccess({ issuer: provider.issuer, clientId, publicUrl }), { publicUrl })
    const begun = await server.send('/sign-in', { headers: { host: 'desk.example' } })
    expect(begun.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-beckon-sign-in=[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/),
    ])
    expect(new URL(begun.headers.location ?? '').searchParams.get('redirect_uri')).toBe(`${publicUrl}/callback`)
  })
})

describe('a session', () => {
  it('ends after eight hours unused, and after a day in any case', async () => {
    const { server, browser, clock } = await oidcDesk()
    await browser.follow(`${server.url}/sign-in`)
    for (const hours of [7, 7, 7]) {
      clock.advance(hours * hourMs)
      expect((await browser.fromPage(server.url)).status).toBe(200)
    }
    clock.advance(3 * hourMs)
    expect((await browser.fromPage(server.url)).status).toBe(401)
    await browser.follow(`${server.url}/sign-in`)
    clock.advance(8 * hourMs)
    expect((await browser.fromPage(server.url)).status).toBe(401)
  })

  it('ends with sign-out, from our own page', async () => {
    const { server, browser } = await oidcDesk()
    await browser.follow(`${server.url}/sign-in`)
    expect((await browser.send(`${server.url}/sign-out`, { method: 'POST' })).status).toBe(403)
    expect((await browser.fromPage(`${server.url}/sign-out`, { method: 'POST' })).status).toBe(200)
    expect((await browser.fromPage(server.url)).status).toBe(401)
  })

  it('is known to every desk on a store, under no name that could be used', async () => {
    const store = memoryStore()
    const keys: string[] = []
    const watched = {
      ...store,
      set(...args: Parameters<typeof store.set>): Promise<void> {
        keys.push(args[0])
        return store.set(...args)
      },
    }
    const { provider, server, browser } = await oidcDesk({ store: watched, clock: Date })
    await browser.follow(`${server.url}/sign-in`)
    const session = [...browser.cookies].find(([name]) => name.includes('session'))?.[1] ?? ''
    expect(keys).toEqual([expect.stringMatching(/^access\/session\/[\w-]{43}$/)])
    expect(keys[0]).not.toContain(session)
    const other = oidcAccess({ issuer: provider.issuer, clientId, publicUrl: server.url, store })
    const { host } = new URL(server.url)
    const cookie = [...browser.cookies].map(pair => pair.join('=')).join('; ')
    const header = (name: string): string | undefined => ({ host, cookie })[name]
    const request = { method: 'GET', path: '/', query: '', remoteAddress: '', header }
    expect(await other.authenticate(request)).toMatchObject({ principal: `${provider.issuer}#alice` })
    await browser.fromPage(`${server.url}/sign-out`, { method: 'POST' })
    expect(await other.authenticate(request)).toBeUndefined()
  })
})

describe('a provider', () => {
  it.each<[string, Record<string, unknown>]>([
    ['calls itself by another name', { issuer: 'https://evil.example' }],
    ['takes codes without TLS', { token_endpoint: 'http://id.example/token' }],
    ['has its keys elsewhere without TLS', { jwks_uri: 'http://id.example/jwks' }],
    ['has a script for an address', { authorization_endpoint: 'javascript:alert(1)' }],
  ])('that %s is not used', async (_name, metadata) => {
    const { provider, server } = await oidcDesk()
    provider.cheats.metadata = metadata
    expect((await server.send('/sign-in')).status).toBe(503)
    expect(server.errors).toHaveLength(1)
  })
})

describe('settings', () => {
  const right = { issuer: 'https://id.example', clientId, publicUrl: 'https://desk.example' }

  it.each<[string, Partial<OidcAccessOptions>, RegExp]>([
    ['a provider without TLS', { issuer: 'http://id.example' }, /issuer/],
    ['an address without TLS', { publicUrl: 'http://desk.example' }, /publicUrl/],
    ['an address with a path', { publicUrl: 'https://desk.example/a' }, /origin/],
    ['a way back to someone else', { redirectUri: 'https://evil.example/callback' }, /below publicUrl/],
    ['a shared secret for signatures', { algorithms: ['HS256'] }, /HS256/],
  ])('with %s are refused at once', (_name, wrong, message) => {
    expect(() => oidcAccess({ ...right, ...wrong })).toThrow(message)
  })

  it('without an address are refused at once', () => {
    expect(() => oidcAccess({ issuer: 'https://id.example', clientId })).toThrow(/publicUrl or redirectUri/)
  })

  it('may name another way back', async () => {
    const { provider } = await oidcDesk()
    const redirectUri = 'https://desk.example/auth/back'
    const access = oidcAccess({ issuer: provider.issuer, clientId, redirectUri })
    const request = { method: 'GET', path: '/sign-in', query: '', remoteAddress: '', header: () => undefined }
    const begun = await access.handle(request)
    const location = begun?.headers.find(([name]) => name === 'Location')?.[1] ?? ''
    expect(new URL(location).searchParams.get('redirect_uri')).toBe(redirectUri)
    expect((await access.handle({ ...request, path: '/auth/back' }))?.status).toBe(400)
    expect(await access.handle({ ...request, path: '/callback' })).toBeUndefined()
  })
})
