// What a server with `auth` takes for a token, and what it says to who brings another one. The issuer is a real one; what it
// would never sign is signed here with its key.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { exportJWK, generateKeyPair, importJWK, type JWTHeaderParameters, SignJWT } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AuthOptions, createServer, type ServerOptions, systemClock } from '../../src/index.js'
import { every, some } from '../../src/middleware/combine/index.js'
import { guard } from '../../src/middleware/guard/guard.js'
import { createTestClient } from '../../src/test/index.js'
import { type IdentityProvider, identityProvider } from './identity-provider.js'

const publicUrl = 'https://notes.example'
const resource = `${publicUrl}/mcp`
const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`

/** Also what is not what its name says. */
type Claims = Readonly<Record<string, unknown>>
type Sign = (claims?: Claims, header?: Partial<JWTHeaderParameters>) => Promise<string>

async function signer({ issuer, key }: Pick<IdentityProvider, 'issuer' | 'key'>): Promise<Sign> {
  const privateKey = await importJWK(key, 'RS256')
  return (claims, header) => {
    const seconds = Math.floor(Date.now() / 1000)
    const regular = { iss: issuer, aud: resource, sub: 'alice', scope: 'read', iat: seconds, exp: seconds + 300 }
    return new SignJWT({ ...regular, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'at+jwt', ...header })
      .sign(privateKey)
  }
}

async function setUp({
  auth,
  ...options
}: Partial<Omit<ServerOptions, 'auth'>> & { auth?: Partial<AuthOptions> } = {}) {
  const idp = await identityProvider()
  const errors: unknown[] = []
  const server = createServer({
    name: 'notes',
    version: '1.0.0',
    publicUrl,
    auth: { issuer: idp.issuer, ...auth },
    onError: error => errors.push(error),
    ...options,
  })
  onTestFinished(() => server.close())
  server.tool('who', {}, (_input, ctx) => `${ctx.principal}`)
  let entered = 0
  server.tool('write', { use: [guard({ scopes: ['write'] })] }, (_input, ctx) => {
    entered++
    return ctx.var.token.scopes.join(' ')
  })
  const post = (body: object, headers: Record<string, string>) =>
    server.fetch(
      new Request(resource, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          host: 'notes.example',
          ...headers,
        },
        body: JSON.stringify(body),
      }),
    )
  /** A call as 2026-07-28 has it. */
  async function modern(name: string, token?: string, headers: Record<string, string> = {}): Promise<Reply> {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta } }
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const known = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }
    return read(await post(body, { ...known, ...authorization, ...headers }))
  }
  /** The same in a 2025 session: the reply to the call, or to what was refused before it. */
  async function legacy(name: string, token?: string, begunWith = token): Promise<Reply> {
    const by = (bearer: string | undefined) => (bearer === undefined ? {} : { authorization: `Bearer ${bearer}` })
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
    const begun = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, by(begunWith))
    const session = begun.headers.get('mcp-session-id')
    if (session === null) return read(begun)
    await begun.text()
    const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25', ...by(token) }
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers)
    return read(await post({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: {} } }, headers))
  }
  return { idp, server, errors, modern, legacy, sign: await signer(idp), entered: () => entered }
}

interface Reply {
  readonly status: number
  readonly text: string
  readonly challenge: string | null
  readonly headers: Headers
}

async function read(response: Response): Promise<Reply> {
  const { status, headers } = response
  return { status, headers, text: await response.text(), challenge: headers.get('www-authenticate') }
}

describe('a request without a token', () => {
  it.each(['modern', 'legacy'] as const)('is told where to get one, %s', async era => {
    const { [era]: call } = await setUp({ auth: { scopes: ['read', 'list'] } })
    const reply = await call('who')
    expect([reply.status, reply.challenge]).toEqual([401, `Bearer scope="read list", ${metadata}`])
  })

  it.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])(
    'finds the metadata at %s, from any page',
    async path => {
      const { server, idp } = await setUp({ auth: { scopes: ['read'] } })
      const response = await server.fetch(new Request(`${publicUrl}${path}`, { headers: { host: 'notes.example' } }))
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(await response.json()).toEqual({
        resource,
        authorization_servers: [idp.issuer],
        scopes_supported: ['read', 'write'],
        bearer_methods_supported: ['header'],
        resource_name: 'notes',
      })
    },
  )

  it('finds no metadata of another resource, nor under another host', async () => {
    const { server } = await setUp()
    const get = async (path: string, host = 'notes.example') =>
      (await server.fetch(new Request(`${publicUrl}${path}`, { headers: { host } }))).status
    expect(await get('/.well-known/oauth-protected-resource/other')).toBe(404)
    expect(await get('/.well-known/oauth-protected-resource', 'evil.example')).toBe(403)
  })

  it('names the address of the settings, whatever the request says', async () => {
    const { modern } = await setUp()
    const { challenge } = await modern('who', undefined, { 'x-forwarded-host': 'evil.example' })
    expect(challenge).toBe(`Bearer ${metadata}`)
  })
})

const now = () => Math.floor(Date.now() / 1000)

describe.each(['modern', 'legacy'] as const)('a token, %s', era => {
  it('says whom a call is for, by its issuer and its subject', async () => {
    const { [era]: call, sign, idp } = await setUp()
    const reply = await call('who', await sign())
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining(`${idp.issuer}#alice`)])
  })

  it.each<[string, Claims, string]>([
    ['that expired', { exp: now() - 61 }, 'The token has expired.'],
    ['that never expires', { exp: undefined }, 'The token is not valid now.'],
    ['for later', { nbf: now() + 120 }, 'The token is not valid now.'],
    ['for another server', { aud: 'https://other.example/mcp' }, 'The token is for another server.'],
    [
      'for a server whose address begins like this one',
      { aud: `${resource}/more` },
      'The token is for another server.',
    ],
    ['for nobody in particular', { aud: undefined }, 'The token is for another server.'],
    ['of another issuer', { iss: 'https://evil.example' }, 'The token comes from another issuer.'],
    ['of no issuer', { iss: undefined }, 'The token comes from another issuer.'],
    ['without a subject', { sub: undefined }, 'The token does not name its subject.'],
    ['with an empty subject', { sub: '' }, 'The token does not name its subject.'],
    ['with a blank subject', { sub: ' ' }, 'The token does not name its subject.'],
    ['with an object for a subject', { sub: { id: 'alice' } }, 'The token does not name its subject.'],
    ['with a subject that is very long', { sub: 'a'.repeat(256) }, 'The token does not name its subject.'],
    ['bound to a key', { cnf: { jkt: 'x' } }, 'The token is bound to a key, which this server does not check.'],
  ])('%s is a 401', async (_name, claims, reason) => {
    const { [era]: call, sign } = await setUp()
    const reply = await call('who', await sign(claims))
    expect(reply.status).toBe(401)
    expect(reply.challenge).toBe(`Bearer error="invalid_token", error_description="${reason}", ${metadata}`)
  })

  it.each<[string, number, number]>([
    ['a minute ahead', 60, 200],
    ['two minutes ahead', 120, 401],
  ])('of an issuer whose clock is %s', async (_name, seconds, status) => {
    const { [era]: call, sign } = await setUp()
    expect((await call('who', await sign({ nbf: now() + seconds, iat: now() + seconds }))).status).toBe(status)
  })

  it('that expired less than a minute ago still counts, for a server whose clock is ahead', async () => {
    const { [era]: call, sign } = await setUp()
    expect((await call('who', await sign({ exp: now() - 55 }))).status).toBe(200)
  })

  it('with too few scopes is sent to get more, before anything runs', async () => {
    const { [era]: call, sign, entered } = await setUp({ auth: { scopes: ['read'] } })
    const lacking = await call('write', await sign())
    expect(lacking.status).toBe(403)
    expect(lacking.challenge).toBe(
      `Bearer error="insufficient_scope", error_description="The token does not allow this.", scope="read write", ${metadata}`,
    )
    expect(entered()).toBe(0)
    expect((await call('who', await sign({ scope: 'other' }))).challenge).toContain('error="insufficient_scope"')
    expect((await call('write', await sign({ scope: 'read write' }))).text).toContain('read write')
  })
})

it('lets nobody into a session that somebody else opened', async () => {
  const { legacy, sign } = await setUp()
  const reply = await legacy('who', await sign({ sub: 'bob' }), await sign())
  expect([reply.status, reply.text]).toEqual([404, expect.not.stringContaining('bob')])
})

describe('what is no access token of the issuer', () => {
  it.each<[string, (sign: Sign) => Promise<string>]>([
    ['no signature', async sign => `${(await sign()).split('.').slice(0, 2).join('.')}.`],
    ['a signature of something else', async sign => (await sign()).replace(/\.[^.]*$/, '.AAAA')],
    ['a logout token', sign => sign({}, { typ: 'logout+jwt' })],
    ['a key that the issuer does not have', sign => sign({}, { kid: 'another' })],
    ['something else', async () => 'abc'],
  ])('%s is a 401', async (_name, make) => {
    const { modern, sign } = await setUp()
    expect((await modern('who', await make(sign))).status).toBe(401)
  })

  it('counts in the header alone', async () => {
    const { server, sign } = await setUp()
    const address = `${resource}?access_token=${await sign()}`
    expect(
      (await server.fetch(new Request(address, { method: 'POST', headers: { host: 'notes.example' } }))).status,
    ).toBe(401)
  })

  it('is a token of another issuer that says it is of this one', async () => {
    const { modern, idp } = await setUp()
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const key = { ...(await exportJWK(privateKey)), kid: idp.key.kid }
    const forge = await signer({ issuer: idp.issuer, key })
    expect((await modern('who', await forge())).status).toBe(401)
  })
})

it('takes two subjects of one name at two issuers for two people', async () => {
  const [one, other] = [await setUp(), await setUp()]
  const [mine, theirs] = [await one.modern('who', await one.sign()), await other.modern('who', await other.sign())]
  expect(mine.text).not.toBe(theirs.text)
  expect((await one.modern('who', await other.sign())).status).toBe(401)
})

describe('an issuer that is away', () => {
  it('is a 503 that says so, and is asked again a moment later', async () => {
    let at = Date.now()
    const { modern, sign, idp, errors } = await setUp({ clock: { ...systemClock, now: () => at } })
    idp.isAway = true
    const reply = await modern('who', await sign())
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5'])
    expect(reply.text).toContain('its issuer does not answer')
    const asked = idp.seen.length
    await modern('who', await sign())
    expect(idp.seen.length).toBe(asked)
    expect(errors.length).toBeGreaterThan(0)
    idp.isAway = false
    at += 1_000
    expect((await modern('who', await sign())).status).toBe(200)
  })

  it('leaves its keys good for a day, and no longer', async () => {
    let at = Date.now()
    const { modern, sign, idp } = await setUp({ clock: { ...systemClock, now: () => at } })
    const later = (ms: number) => {
      at += ms
      return sign({ exp: Math.floor(at / 1000) + 300 })
    }
    expect((await modern('who', await sign())).status).toBe(200)
    idp.isAway = true
    expect((await modern('who', await later(60 * 60 * 1000))).status).toBe(200)
    expect((await modern('who', await later(24 * 60 * 60 * 1000))).status).toBe(503)
  })

  it('is a 503 for a token with a key of it that is not known, and not one that is refused', async () => {
    let at = Date.now()
    const { modern, sign, idp } = await setUp({ clock: { ...systemClock, now: () => at } })
    expect((await modern('who', await sign())).status).toBe(200)
    idp.isAway = true
    at += 31_000
    expect((await modern('who', await sign({}, { kid: 'a new one' }))).status).toBe(503)
    expect((await modern('who', await sign())).status).toBe(200)
    idp.isAway = false
    at += 1_000
    expect((await modern('who', await sign({}, { kid: 'a new one' }))).status).toBe(401)
  })

  it('is not asked for every key that somebody makes up', async () => {
    const { modern, sign, idp } = await setUp()
    for (let guess = 0; guess < 20; guess++) await modern('who', await sign({}, { kid: `guess ${guess}` }))
    expect(idp.seen.filter(path => path === 'GET /jwks').length).toBe(1)
  })
})

describe('a stream that its client listens to', () => {
  const headersOf = (token: string) => ({
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  })
  const eras: Record<string, (send: Send, token: string) => Promise<Response>> = {
    async legacy(send, token) {
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
      const begun = await send({ method: 'POST', headers: headersOf(token), body })
      await begun.text()
      const session = begun.headers.get('mcp-session-id') ?? ''
      return send({ method: 'GET', headers: { ...headersOf(token), 'mcp-session-id': session } })
    },
    modern(send, token) {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      }
      const params = { notifications: { toolsListChanged: true }, _meta }
      const known = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params })
      return send({ method: 'POST', headers: { ...headersOf(token), ...known }, body })
    },
  }
  type Send = (init: RequestInit) => Promise<Response>

  it.each([
    ['legacy', 'fetch'],
    ['legacy', 'listen'],
    ['modern', 'fetch'],
    ['modern', 'listen'],
  ])('lasts as long as its token, while the issuer is away as well: %s, by %s', async (era, face) => {
    let at = Date.now()
    const clock = { ...systemClock, now: () => at }
    const { server, sign, idp } = await setUp({ clock, keepAliveMs: 5, publicUrl: undefined, auth: { resource } })
    const address = face === 'listen' ? (await server.listen({ port: 0 })).url : resource
    const send: Send = init => (face === 'listen' ? fetch(address, init) : server.fetch(new Request(address, init)))
    const stream = await eras[era]?.(send, await sign())
    expect([stream?.status, stream?.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const reader = stream?.body?.getReader()
    const chunk = async () => (await reader?.read())?.value !== undefined
    idp.isAway = true
    // Each chunk is a keep-alive, and with every fourth the client is let in again.
    for (let chunks = 0; chunks < 20; chunks++) expect(await chunk()).toBe(true)
    at += 361_000
    const isOpenLong = async () => {
      for (let chunks = 0; chunks < 1_000; chunks++) if (!(await chunk())) return false
      return true
    }
    expect(await isOpenLong().catch(() => false)).toBe(false)
  })
})

it('has the official client listen again, with a token that is good, once it was cut off', async () => {
  let at = Date.now()
  const clock = { ...systemClock, now: () => at }
  const { server, sign } = await setUp({ clock, keepAliveMs: 5, publicUrl: undefined, auth: { resource } })
  const { url } = await server.listen({ port: 0 })
  let token = await sign()
  let told = 0
  const client = new Client({ name: 'official', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  client.setNotificationHandler('notifications/tools/list_changed', () => void told++)
  const opened: (string | null)[] = []
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    authProvider: { token: async () => token },
    reconnectionOptions: {
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 10,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 10,
    },
    async fetch(address, init) {
      if (init?.method === 'GET') opened.push(new Headers(init.headers).get('authorization'))
      return fetch(address, init)
    },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const hears = async () => {
    const before = told
    for (let tries = 0; told === before && tries < 1_000; tries++) {
      server.changed('tools')
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    return told > before
  }
  expect(await hears()).toBe(true)
  const old = token
  at += 361_000
  token = await sign({ exp: Math.floor(at / 1000) + 300 })
  while (opened.length < 2) await new Promise(resolve => setTimeout(resolve, 5))
  expect(await hears()).toBe(true)
  expect(opened).toEqual([`Bearer ${old}`, `Bearer ${token}`])
})

describe('guard({ scopes })', () => {
  it('is met before the call wherever it must be passed, and in the call where it is one way of several', async () => {
    const { server, modern, sign } = await setUp()
    const admin = guard({ scopes: ['admin'] })
    server.tool('both', { use: [every(admin)] }, () => 'passed')
    server.tool('either', { use: [some(admin, ctx => ctx.principal?.endsWith('#bob') ?? false)] }, () => 'passed')
    expect((await modern('both', await sign())).status).toBe(403)
    expect((await modern('either', await sign())).text).toContain('Not authorized')
    expect((await modern('either', await sign({ sub: 'bob' }))).text).toContain('passed')
    expect((await modern('either', await sign({ scope: 'admin' }))).text).toContain('passed')
  })

  it('lets no call pass that came in without HTTP, where there is no token', async () => {
    const { server, entered } = await setUp()
    const client = createTestClient(server, { principal: 'alice' })
    onTestFinished(() => client.close())
    expect((await client.callTool('write')).content[0]?.text).toContain('Not authorized')
    expect(entered()).toBe(0)
  })

  it('fails at registration where nothing could check it, or for what is no scope', async () => {
    const bare = createServer({ name: 's', version: '1.0.0' })
    expect(() => bare.tool('t', guard({ scopes: ['a'] }), {}, () => '')).toThrow('give createServer `auth`')
    const { server } = await setUp()
    expect(() => server.tool('t', guard({ scopes: ['a b'] }), {}, () => '')).toThrow('"a b" is not a scope')
    expect(() => server.use(guard({ scopes: ['offline_access'] }))).toThrow('offline_access')
  })
})

describe('settings that could not work are refused at once', () => {
  const make = (options: Partial<ServerOptions>) => () => createServer({ name: 's', version: '1.0.0', ...options })
  const issuer = 'https://id.example'
  it.each<[string, Partial<ServerOptions>, string]>([
    ['an issuer without TLS', { auth: { issuer: 'http://id.example' } }, 'auth.issuer must be an https: URL'],
    ['an issuer with a query', { auth: { issuer: `${issuer}/?a=1` } }, 'neither a query nor a fragment'],
    ['an empty audience', { auth: { issuer, audience: [] } }, 'must not be empty'],
    ['a scope that is two', { auth: { issuer, scopes: ['a b'] } }, 'is not a scope'],
    ['offline_access', { auth: { issuer, scopes: ['offline_access'] } }, 'for a client to ask for'],
    ['two ways to know who it is', { auth: { issuer }, identify: () => 'x' }, 'and not both'],
  ])('%s', (_name, options, message) => {
    expect(make(options)).toThrow(message)
  })
})
