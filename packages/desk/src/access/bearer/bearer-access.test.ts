import { memoryStore } from 'beckon'
import { describe, expect, it } from 'vitest'
import { type AccessServer, serveAccess } from '../../../test/access-server.js'
import { anyOf } from '../any-of.js'
import { linkAccess } from '../link/link-access.js'
import { bearerAccess } from './bearer-access.js'

const tokens = {
  'a-token-of-alice': { principal: 'alice', groups: ['release'] },
  'a-token-of-bob': { principal: 'bob' },
}
const alice = { authorization: 'Bearer a-token-of-alice' }

async function ticketOf(server: AccessServer): Promise<string> {
  const reply = await server.send('/ticket', { method: 'POST', headers: { ...alice, 'x-beckon-device': 'phone' } })
  expect(reply.status).toBe(200)
  return JSON.parse(reply.body).ticket
}

describe('a bearer token', () => {
  it('says who someone is, and which groups they are in', async () => {
    const server = await serveAccess(bearerAccess({ tokens }))
    const reply = await server.send('/', { headers: { ...alice, 'x-beckon-device': 'laptop' } })
    expect(JSON.parse(reply.body)).toEqual({ principal: 'alice', groups: ['release'], device: 'laptop' })
  })

  it('may come from a lookup, of which nothing else is passed on', async () => {
    const found = { principal: 'carol', password: 'hidden', status: 200 }
    const server = await serveAccess(bearerAccess({ tokens: async token => (token === 'hers' ? found : undefined) }))
    const reply = await server.send('/', { headers: { authorization: 'bearer hers', 'x-beckon-device': 'd' } })
    expect(JSON.parse(reply.body)).toEqual({ principal: 'carol', device: 'd' })
    expect((await server.send('/', { headers: { authorization: 'bearer his' } })).status).toBe(401)
  })

  it('is a 503, and nobody, when the lookup fails', async () => {
    const broken = (): never => {
      throw new Error('no database')
    }
    const server = await serveAccess(bearerAccess({ tokens: broken }))
    const reply = await server.send('/', { headers: alice })
    expect(reply.status).toBe(503)
    expect(reply.body).not.toContain('database')
    expect(server.errors).toHaveLength(1)
  })

  it.each([
    ['nothing', '/', {}],
    ['a wrong token', '/', { authorization: 'Bearer a-token-of-carol' }],
    ['half a token', '/', { authorization: 'Bearer a-token-of' }],
    ['another scheme', '/', { authorization: 'Basic a-token-of-alice' }],
    ['no scheme', '/', { authorization: 'a-token-of-alice' }],
    ['two tokens', '/', { authorization: 'Bearer a-token-of-alice a-token-of-bob' }],
    ['an inherited name', '/', { authorization: 'Bearer constructor' }],
    ['__proto__', '/', { authorization: 'Bearer __proto__' }],
    ['the token in the URL', '/live?token=a-token-of-alice', {}],
    ['the token as access_token', '/live?access_token=a-token-of-alice', {}],
    ['the token as a ticket', '/live?ticket=a-token-of-alice', {}],
    ['the token as a cookie', '/', { cookie: 'token=a-token-of-alice' }],
    ['the token as a subprotocol', '/live', { 'sec-websocket-protocol': 'bearer, a-token-of-alice' }],
  ])('counts in its header only: %s is a 401', async (_name, target, headers) => {
    const server = await serveAccess(bearerAccess({ tokens }))
    for (const send of [server.send, server.upgrade]) {
      const reply = await send(target, { headers: { ...headers } })
      expect(reply.status).toBe(401)
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer/)
      expect(reply.body).not.toContain('alice')
    }
  })

  it('tells a browser what is missing for people', async () => {
    const server = await serveAccess(bearerAccess({ tokens }))
    const reply = await server.send('/', { headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' } })
    expect(reply.status).toBe(401)
    expect(reply.body).toContain('oidcAccess')
  })

  it('works after ten wrong ones in a minute, unless it is short enough to be guessed', async () => {
    const clock = { at: 0, now: () => clock.at }
    const server = await serveAccess(bearerAccess({ tokens, clock }))
    for (let index = 0; index < 10; index++) {
      expect((await server.send('/', { headers: { authorization: `Bearer guess-${index}` } })).status).toBe(401)
    }
    expect((await server.send('/', { headers: { authorization: 'Bearer guess' } })).status).toBe(429)
    expect((await server.send('/', { headers: alice })).status).toBe(200)
    const bob = { authorization: 'Bearer a-token-of-bob' }
    expect((await server.send('/', { headers: bob })).status).toBe(429)
    clock.at += 60_000
    expect((await server.send('/', { headers: bob })).status).toBe(200)
    expect((await server.send('/', { headers: { authorization: 'Bearer guess' } })).status).toBe(401)
  })

  it('counts guesses by the address that a known proxy names', async () => {
    const server = await serveAccess(bearerAccess({ tokens }), { proxies: ['127.0.0.1'] })
    for (let index = 0; index < 11; index++) {
      const headers = { authorization: `Bearer guess-${index}`, 'x-forwarded-for': `10.0.0.${index}, 203.0.113.7` }
      expect((await server.send('/', { headers })).status).toBe(index < 10 ? 401 : 429)
    }
    expect((await server.send('/', { headers: { ...alice, 'x-forwarded-for': '203.0.113.8' } })).status).toBe(200)
  })

  it('counts guesses by where they come from when anyone can say anything', async () => {
    const server = await serveAccess(bearerAccess({ tokens }))
    for (let index = 0; index < 11; index++) {
      const headers = { authorization: `Bearer guess-${index}`, 'x-forwarded-for': `10.0.0.${index}` }
      expect((await server.send('/', { headers })).status).toBe(index < 10 ? 401 : 429)
    }
  })

  it.each(['', 'with space', 'ümlaut'])('cannot be "%s"', token => {
    expect(() => bearerAccess({ tokens: { [token]: { principal: 'alice' } } })).toThrow(/token of "alice"/)
  })
})

describe('a ticket', () => {
  it('opens one socket, as the person and the device that asked for it', async () => {
    const server = await serveAccess(bearerAccess({ tokens }))
    const ticket = await ticketOf(server)
    const reply = await server.upgrade(`/live?ticket=${ticket}`, { headers: { origin: server.url } })
    expect(JSON.parse(reply.body)).toEqual({ principal: 'alice', groups: ['release'], device: 'phone' })
    expect((await server.upgrade(`/live?ticket=${ticket}`)).status).toBe(401)
  })

  it('is good for 30 seconds', async () => {
    const clock = { at: 0, now: () => clock.at }
    const server = await serveAccess(bearerAccess({ tokens, clock }), { clock })
    const [first, second] = [await ticketOf(server), await ticketOf(server)]
    clock.at += 29_999
    expect((await server.upgrade(`/live?ticket=${first}`)).status).toBe(101)
    clock.at += 1
    expect((await server.upgrade(`/live?ticket=${second}`)).status).toBe(401)
  })

  it('is good on every node of a store, once, and stands for a token that still counts', async () => {
    const store = memoryStore()
    const known = new Map(Object.entries(tokens))
    const access = () => bearerAccess({ tokens: token => known.get(token) })
    const [here, there] = [await serveAccess(access(), { store }), await serveAccess(access(), { store })]
    const ticket = await ticketOf(here)
    expect(JSON.parse((await there.upgrade(`/live?ticket=${ticket}`)).body)).toMatchObject({ principal: 'alice' })
    expect((await here.upgrade(`/live?ticket=${ticket}`)).status).toBe(401)
    const late = await ticketOf(here)
    known.clear()
    expect((await there.upgrade(`/live?ticket=${late}`)).status).toBe(401)
  })

  it('is not given without end', async () => {
    const server = await serveAccess(bearerAccess({ tokens }))
    const replies = await Promise.all(
      Array.from({ length: 130 }, () => server.send('/ticket', { method: 'POST', headers: alice })),
    )
    expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  })

  it('opens nothing but a socket', async () => {
    const server = await serveAccess(bearerAccess({ tokens }))
    const ticket = await ticketOf(server)
    expect((await server.send(`/asks?ticket=${ticket}`)).status).toBe(401)
    expect((await server.send('/asks', { headers: { authorization: `Bearer ${ticket}` } })).status).toBe(401)
    expect((await server.upgrade(`/live?ticket=${ticket}`)).status).toBe(101)
  })

  it('is for those who have a token, by POST', async () => {
    const server = await serveAccess(bearerAccess({ tokens }))
    expect((await server.send('/ticket', { method: 'POST' })).status).toBe(401)
    expect((await server.send('/ticket', { method: 'POST', headers: { authorization: 'Bearer x' } })).status).toBe(401)
    expect((await server.send('/ticket', { headers: alice })).status).toBe(405)
  })
})

describe('several ways in', () => {
  it('let in whoever one of them knows', async () => {
    const link = linkAccess()
    const other = bearerAccess({ tokens: { 'a-token-of-carol': { principal: 'carol' } } })
    const server = await serveAccess(anyOf(link, bearerAccess({ tokens }), other))
    expect((await server.upgrade(link.socketUrl(server.url).replace('ws:', 'http:'))).status).toBe(101)
    expect((await server.send('/', { headers: alice })).status).toBe(200)
    const ticket = await server.send('/ticket', {
      method: 'POST',
      headers: { authorization: 'Bearer a-token-of-carol' },
    })
    const reply = await server.upgrade(`/live?ticket=${JSON.parse(ticket.body).ticket}`)
    expect(JSON.parse(reply.body)).toMatchObject({ principal: 'carol' })
    expect((await server.send('/')).status).toBe(401)
  })

  it('tell that someone has to wait before anything else', async () => {
    const server = await serveAccess(anyOf(linkAccess(), bearerAccess({ tokens })))
    for (let index = 0; index < 10; index++) await server.send('/', { headers: { authorization: `Bearer ${index}` } })
    expect((await server.send('/', { headers: { authorization: 'Bearer another' } })).status).toBe(429)
  })

  it('are for this machine only when one of them is', () => {
    expect(anyOf(bearerAccess({ tokens }), linkAccess()).loopbackOnly).toBe(true)
    expect(anyOf(bearerAccess({ tokens })).loopbackOnly).toBe(false)
  })
})
