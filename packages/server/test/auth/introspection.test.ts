// Tokens that only their issuer can read.
import { expect, it, onTestFinished } from 'vitest'
import { createServer, type IntrospectionOptions, systemClock } from '../../src/index.js'
import { accessToken, tokenClient } from './access-token.js'
import { accessTokenSeconds, identityProvider, resourceServer } from './identity-provider.js'
import { Person } from './person.js'

async function setUp(settings: Partial<IntrospectionOptions> = {}) {
  const idp = await identityProvider({ tokens: 'opaque' })
  idp.knows({ ...tokenClient, redirect_uris: [...tokenClient.redirect_uris] })
  let at = Date.now()
  const server = createServer({
    name: 'notes',
    version: '1.0.0',
    auth: {
      issuer: idp.issuer,
      scopes: ['notes:read'],
      introspection: { clientId: resourceServer.client_id, clientSecret: resourceServer.client_secret, ...settings },
    },
    clock: { ...systemClock, now: () => at },
    keepAliveMs: 5,
    onError: () => {},
  })
  onTestFinished(() => server.close())
  const { url } = await server.listen({ port: 0 })
  const send = (token: string) =>
    fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
      }),
    })
  const get = (resource: string, scope = 'notes:read') => accessToken(idp, new Person('alice'), { resource, scope })
  const pass = (ms: number) => {
    at += ms
  }
  return { idp, url, send, get, pass }
}

it('takes a token that its issuer says is good, and not one for another server or with too few scopes', async () => {
  const { url, send, get } = await setUp()
  expect((await send(await get(url))).status).toBe(200)
  expect((await send(await get(`${url}/other`))).status).toBe(401)
  expect((await send(await get(url, 'notes:write'))).status).toBe(403)
  expect((await send('made-up')).status).toBe(401)
})

it('asks once for many requests, and takes a token no more a few seconds after it was withdrawn', async () => {
  const { idp, url, send, get, pass } = await setUp()
  const token = await get(url)
  await Promise.all(Array.from({ length: 10 }, () => send(token)))
  expect(idp.seen.filter(path => path === 'POST /token/introspection').length).toBe(1)
  await idp.revoke(token)
  expect((await send(token)).status).toBe(200)
  pass(5_000)
  expect((await send(token)).status).toBe(401)
})

it('cuts off who listens, once their token was withdrawn', async () => {
  const { idp, url, send, get, pass } = await setUp()
  const token = await get(url)
  const session = (await send(token)).headers.get('mcp-session-id') ?? ''
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'mcp-session-id': session }
  const stream = await fetch(url, { headers })
  expect(stream.status).toBe(200)
  await idp.revoke(token)
  pass(5_000)
  await expect(stream.text()).rejects.toThrow('terminated')
})

it.each([
  [55, 200],
  [75, 401],
])(
  'by a clock that is %d seconds past its end, answers a token that its issuer says is good with %d',
  async (seconds, status) => {
    const { url, send, get, pass } = await setUp()
    const token = await get(url)
    pass((accessTokenSeconds + seconds) * 1000)
    expect((await send(token)).status).toBe(status)
  },
)

it('is a 503 when the issuer does not answer, or does not know this server', async () => {
  const { idp, url, send, get, pass } = await setUp()
  const token = await get(url)
  idp.isAway = true
  expect((await send(token)).status).toBe(503)
  idp.isAway = false
  pass(5_000)
  expect((await send(token)).status).toBe(200)
  const stranger = await setUp({ clientSecret: 'wrong' })
  expect((await stranger.send('any')).status).toBe(503)
})
