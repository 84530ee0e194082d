import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import type { Middleware } from '../author/middleware.js'
import { createServer } from '../server/create-server.js'
import { createTestClient } from '../test/index.js'
import { bearer } from './bearer/bearer.js'
import { jwt } from './jwt/jwt.js'

const capabilities = 'io.modelcontextprotocol/clientCapabilities'
const version = 'io.modelcontextprotocol/protocolVersion'
const info = 'io.modelcontextprotocol/clientInfo'

type Server = ReturnType<typeof createServer>

/** Calls a tool over HTTP, in one round of 2026-07-28. */
async function call(server: Server, authorization: string | undefined, more?: Record<string, unknown>) {
  return (await send(server, authorization, more)).result
}

async function send(server: Server, authorization: string | undefined, more: Record<string, unknown> = {}) {
  const _meta = {
    [capabilities]: { elicitation: { form: {} } },
    [version]: '2026-07-28',
    [info]: { name: 'c', version: '1' },
  }
  const response = await server.fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'Mcp-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
        'Mcp-Name': 't',
        ...(authorization !== undefined && { Authorization: authorization }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 't', arguments: {}, ...more, _meta },
      }),
    }),
  )
  return response.json()
}

/** The same in a session of 2025-11-25. */
async function callInSession(server: Server, authorization: string) {
  const post = (body: object, headers: Record<string, string> = {}) =>
    server.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          Authorization: authorization,
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      }),
    )
  const clientInfo = { name: 'c', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const opened = await post({ id: 1, method: 'initialize', params })
  const headers = { 'Mcp-Session-Id': opened.headers.get('mcp-session-id') ?? '' }
  await post({ method: 'notifications/initialized' }, headers)
  const response = await post({ id: 2, method: 'tools/call', params: { name: 't', arguments: {} } }, headers)
  const text = await response.text()
  return JSON.parse(/^data: ({.*"id":2.*})$/m.exec(text)?.[1] ?? text).result
}

function serverBehind(gate: Middleware, handler: () => string = () => 'ran') {
  const server = createServer({ name: 's', version: '1.0.0' })
  server.tool('t', gate, {}, handler)
  return server
}

const passed = { content: [{ text: 'ran' }] }
const refused = { isError: true }

describe('bearer', () => {
  it('lets the known tokens pass, in every era, and nothing else', async () => {
    const server = serverBehind(bearer({ token: ['s3cret', 'other'] }))
    expect(await call(server, 'Bearer s3cret')).toMatchObject(passed)
    expect(await call(server, 'bearer other')).toMatchObject(passed)
    expect(await callInSession(server, 'Bearer s3cret')).toMatchObject(passed)
    expect(await callInSession(server, 'Bearer s3cre')).toMatchObject(refused)
    for (const header of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearer s3cre',
      'Bearer s3crets',
      'Basic s3cret',
      's3cret',
    ])
      expect(await call(server, header)).toMatchObject(refused)
  })

  it('refuses a call that came in without HTTP', async () => {
    expect(await createTestClient(serverBehind(bearer({ token: 'x' }))).callTool('t')).toMatchObject(refused)
  })

  it('takes only true from verify, and refuses options that would let everyone pass', async () => {
    // What an author writes in JavaScript.
    const loose = bearer({ verify: (() => 'yes') as never })
    expect(await call(serverBehind(loose), 'Bearer x')).toMatchObject(refused)
    expect(() => bearer({})).toThrow(TypeError)
    expect(() => bearer({ token: '' })).toThrow(TypeError)
    expect(() => bearer({ token: [] })).toThrow(TypeError)
  })

  it('checks each request that has the call replayed', async () => {
    const server = createServer({ name: 's', version: '1.0.0', replay: 'always' })
    let checks = 0
    const verify = (token: string) => {
      checks++
      return token === 'good'
    }
    server.tool('t', bearer({ verify }), {}, async (_input, ctx) => ctx.json(await ctx.confirm('Sure?')))
    const first = await call(server, 'Bearer good')
    expect(checks).toBe(1)
    const [id = ''] = Object.keys(first.inputRequests)
    const answer = { requestState: first.requestState, inputResponses: { [id]: { action: 'accept', content: {} } } }
    expect(await call(server, 'Bearer bad', answer)).toMatchObject(refused)
    const again = await call(server, 'Bearer good')
    const state = { ...answer, requestState: again.requestState }
    expect(await call(server, 'Bearer good', state)).toMatchObject({ content: [{ text: 'true' }] })
    expect(checks).toBe(4)
  })
})

describe('jwt', () => {
  const secret = new TextEncoder().encode('0123456789abcdef0123456789abcdef')
  const issuer = 'https://id.example'
  const audience = 'https://mcp.example'
  const sign = (change: (token: SignJWT) => SignJWT = token => token, key = secret) =>
    change(
      new SignJWT({ role: 'admin' })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject('ann')
        .setIssuer(issuer)
        .setAudience(audience)
        .setExpirationTime('1h'),
    ).sign(key)

  it('lets valid tokens pass, and tells the handler what they say', async () => {
    const gate = jwt({ secret, issuer, audience })
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('t', gate, {}, (_input, ctx) => `${ctx.var.jwt.sub} ${ctx.var.jwt.role}`)
    expect(await call(server, `Bearer ${await sign()}`)).toMatchObject({ content: [{ text: 'ann admin' }] })
  })

  it('refuses every other one', async () => {
    const server = serverBehind(jwt({ secret, issuer, audience }))
    const none = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ iss: issuer, aud: audience, exp: 9e9 }))}.`
    const bad = [
      await sign(token => token.setIssuer('https://evil.example')),
      await sign(token => token.setAudience('https://other.example')),
      await sign(token => token.setExpirationTime(1)),
      await sign(token => token.setNotBefore('1h')),
      await sign(token => token, new TextEncoder().encode('fedcba9876543210fedcba9876543210')),
      await new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).setIssuer(issuer).setAudience(audience).sign(secret),
      none.replaceAll('=', ''),
      'rubbish',
    ]
    for (const token of bad) expect(await call(server, `Bearer ${token}`)).toMatchObject(refused)
    expect(await call(server, `Bearer ${await sign()}`)).toMatchObject(passed)
  })

  it('says so where the keys cannot be had, and refuses nobody for it', async () => {
    const errors: unknown[] = []
    const away = async () => {
      throw new Error('the issuer is away')
    }
    const onError = (error: unknown) => errors.push(error)
    const server = serverBehind(jwt({ jwks: away, issuer, audience, algorithms: ['HS256'], onError }))
    const { error } = await send(server, `Bearer ${await sign()}`)
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('Try again') })
    expect(error.message).not.toContain('the issuer is away')
    expect(errors).toMatchObject([{ message: 'the issuer is away' }])
  })

  it('asks verify about what a valid token says, and refuses weak options', async () => {
    const server = serverBehind(jwt({ secret, issuer, audience, verify: ({ role }) => role === 'owner' }))
    expect(await call(server, `Bearer ${await sign()}`)).toMatchObject(refused)
    expect(() => jwt({ secret: 'short', issuer, audience })).toThrow(TypeError)
    expect(() => jwt({ issuer, audience })).toThrow(TypeError)
    expect(() => jwt({ jwks: 'http://id.example/jwks', issuer, audience })).toThrow('https')
    expect(() => jwt({ secret, jwks: 'https://id.example/jwks', issuer, audience })).toThrow(TypeError)
  })
})
