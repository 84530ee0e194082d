import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { serveAccess } from '../../../test/access-server.js'
import { Browser, socket } from '../../../test/browser.js'
import { bearerAccess } from '../bearer/bearer-access.js'
import { linkAccess } from '../link/link-access.js'
import { cookieRefusal, guardFor, refusal } from './guard.js'

const token = 'a-token-of-alice'
const authorization = `Bearer ${token}`
const tokens = { [token]: { principal: 'alice' } }

/** `PORT` stands for the desk's own. Each request carries a good token, so that nothing but the guard can refuse it. */
const withToken: { name: string; headers: Record<string, string>; status: number; isUpgrade?: boolean }[] = [
  { name: 'its own address', headers: { host: '127.0.0.1:PORT' }, status: 200 },
  { name: 'its own name', headers: { host: 'LocalHost:PORT' }, status: 200 },
  { name: 'its own IPv6 address', headers: { host: '[::1]:PORT' }, status: 200 },
  { name: 'another port', headers: { host: 'localhost:1' }, status: 403 },
  { name: 'no port', headers: { host: 'localhost' }, status: 403 },
  { name: 'DNS rebinding', headers: { host: 'evil.example:PORT', origin: 'http://evil.example:PORT' }, status: 403 },
  { name: 'DNS rebinding of a socket', headers: { host: 'evil.example:PORT' }, status: 403, isUpgrade: true },
  { name: 'a host that begins like ours', headers: { host: '127.0.0.1.evil.example:PORT' }, status: 403 },
  { name: 'a host that ends like ours', headers: { host: 'evil.localhost:PORT' }, status: 403 },
  { name: 'a host with a user', headers: { host: 'evil.example@127.0.0.1:PORT' }, status: 403 },
  { name: 'a host with a trailing dot', headers: { host: 'localhost.:PORT' }, status: 403 },
  { name: 'its own page', headers: { origin: 'http://127.0.0.1:PORT' }, status: 200 },
  { name: 'its own page, by another name', headers: { origin: 'http://localhost:PORT' }, status: 403 },
  { name: 'a page on another port', headers: { origin: 'http://127.0.0.1:3000' }, status: 403 },
  { name: 'a foreign page', headers: { origin: 'https://evil.example' }, status: 403 },
  { name: 'a foreign page and a socket', headers: { origin: 'https://evil.example' }, status: 403, isUpgrade: true },
  { name: 'a page without an origin', headers: { origin: 'null' }, status: 403 },
  { name: 'two origins', headers: { origin: 'http://127.0.0.1:PORT, https://evil.example' }, status: 403 },
  { name: 'an origin with a user', headers: { origin: 'http://127.0.0.1:PORT@evil.example' }, status: 403 },
  { name: 'an origin with a path', headers: { origin: 'http://127.0.0.1:PORT/' }, status: 403 },
  { name: 'an extension', headers: { origin: 'chrome-extension://127.0.0.1:PORT' }, status: 403 },
  { name: 'a listed page', headers: { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }, status: 200 },
  { name: 'a listed page, without TLS', headers: { origin: 'http://app.example' }, status: 403 },
  { name: 'a listed page and a socket', headers: { origin: 'https://app.example' }, status: 101, isUpgrade: true },
  { name: 'a program and a socket', headers: {}, status: 101, isUpgrade: true },
  {
    name: 'an image on a foreign page',
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    status: 403,
  },
  {
    name: 'a script of a sibling',
    headers: { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'script' },
    status: 403,
  },
  {
    name: 'a frame in a foreign page',
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    status: 403,
  },
  {
    name: 'a link on a foreign page',
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    status: 200,
  },
]

describe('Host and Origin', () => {
  it.each(withToken)('answers $name with $status', async ({ headers, status, isUpgrade = false }) => {
    const server = await serveAccess(bearerAccess({ tokens }), { allowedOrigins: ['https://app.example'] })
    const { port } = new URL(server.url)
    const sent = Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', port)])
    const send = isUpgrade ? server.upgrade : server.send
    expect(await send('/live', { headers: { authorization, ...Object.fromEntries(sent) } })).toMatchObject({ status })
  })

  it('takes the hosts that it is told, with the port that it is told', async () => {
    const allowedHosts = ['desk.example', 'with-port.example:8080']
    const server = await serveAccess(bearerAccess({ tokens }), { host: '0.0.0.0', allowedHosts })
    const hosts = ['desk.example', 'Desk.Example:443', 'with-port.example:8080', 'with-port.example', 'localhost']
    const replies = await Promise.all(hosts.map(host => server.send('/', { headers: { host, authorization } })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 403, 403])
  })

  it('knows its public address as its only origin, whatever host a proxy names', async () => {
    const server = await serveAccess(bearerAccess({ tokens }), { publicUrl: 'https://desk.example' })
    const send = async (origin: string, host?: string): Promise<number> =>
      (await server.send('/', { headers: { authorization, origin, ...(host && { host }) } })).status
    expect(await send('https://desk.example')).toBe(200)
    expect(await send('https://desk.example', 'desk.example')).toBe(200)
    expect(await send('http://desk.example', 'desk.example')).toBe(403)
    expect(await send(server.url)).toBe(403)
  })

  it('refuses a request that is for no host at all', async () => {
    const { url } = await serveAccess(bearerAccess({ tokens }))
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.end(`GET / HTTP/1.0\r\nAuthorization: ${authorization}\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 403 /)
  })

  it('leaves the port out where a browser does', () => {
    const guard = guardFor({ host: '127.0.0.1', port: 80 })
    const statusOf = (host: string): string | undefined =>
      refusal(
        {
          method: 'GET',
          path: '/',
          query: '',
          remoteAddress: '',
          header: name => (name === 'host' ? host : undefined),
        },
        guard,
      )
    expect(['localhost', 'localhost:80', '[::1]'].map(statusOf)).toEqual([undefined, undefined, undefined])
    expect(statusOf('localhost:8080')).toBe('Host not allowed')
  })

  it('does not start where nothing says which hosts are its own', () => {
    expect(() => guardFor({ host: '0.0.0.0', port: 80 })).toThrow(/allowedHosts or publicUrl/)
  })

  it.each(['app.example', 'https://app.example/', 'https://app.example/path', '*'])(
    'takes no "%s" for an origin',
    origin => {
      expect(() => guardFor({ host: 'localhost', port: 80, allowedOrigins: [origin] })).toThrow(/allowedOrigins/)
    },
  )

  it('takes no public address without TLS', () => {
    expect(() => guardFor({ host: '0.0.0.0', port: 80, publicUrl: 'http://desk.example' })).toThrow(/https/)
  })
})

/** Each request carries the person's own cookie, as a browser would send it or a program might. */
const withCookie: { name: string; method?: string; headers: Record<string, string>; status: number }[] = [
  { name: 'a visit', headers: { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, status: 200 },
  { name: 'a read by its own page', headers: { 'sec-fetch-site': 'same-origin' }, status: 200 },
  { name: 'a read by an old browser', headers: {}, status: 200 },
  {
    name: 'a link on a foreign page',
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    status: 200,
  },
  { name: 'a read by a listed page', headers: { origin: 'https://app.example' }, status: 401 },
  { name: 'a change by its own page', method: 'POST', headers: { origin: 'OWN' }, status: 200 },
  {
    name: 'a change by its own page, in a new browser',
    method: 'POST',
    headers: { origin: 'OWN', 'sec-fetch-site': 'same-origin' },
    status: 200,
  },
  { name: 'a change by nobody in particular', method: 'POST', headers: {}, status: 401 },
  {
    name: 'a change that only Sec-Fetch-Site vouches for',
    method: 'DELETE',
    headers: { 'sec-fetch-site': 'same-origin' },
    status: 401,
  },
  { name: 'a change by a listed page', method: 'POST', headers: { origin: 'https://app.example' }, status: 401 },
  { name: 'a form on a foreign page', method: 'POST', headers: { origin: 'https://evil.example' }, status: 403 },
  {
    name: 'a form on another port',
    method: 'POST',
    headers: { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' },
    status: 403,
  },
  {
    name: 'a page that claims our origin from elsewhere',
    method: 'POST',
    headers: { origin: 'OWN', 'sec-fetch-site': 'cross-site' },
    status: 401,
  },
  { name: 'a socket of its own page', headers: { ...socket, origin: 'OWN' }, status: 101 },
  { name: 'a socket without an origin', headers: socket, status: 401 },
  { name: 'a socket of a foreign page', headers: { ...socket, origin: 'https://evil.example' }, status: 403 },
  { name: 'a socket of a listed page', headers: { ...socket, origin: 'https://app.example' }, status: 401 },
  { name: 'a socket of another port', headers: { ...socket, origin: 'http://127.0.0.1:3000' }, status: 403 },
]

describe('a cookie', () => {
  it.each(withCookie)('answers $name with $status', async ({ method = 'GET', headers, status }) => {
    const access = linkAccess()
    const server = await serveAccess(access, { allowedOrigins: ['https://app.example'] })
    const browser = new Browser()
    await browser.visit(access.link(server.url))
    const sent = Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', server.url)])
    const reply = await browser.send(`${server.url}/live`, { method, headers: Object.fromEntries(sent) })
    expect(reply.status).toBe(status)
  })
})

describe('a cookie, even without the rest of the guard,', () => {
  it.each<[string, Record<string, string>]>([
    ['an image', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a frame', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    ['a sibling’s script', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }],
  ])('does not count for %s of a foreign page', (_name, headers) => {
    const header = (name: string): string | undefined => ({ host: 'localhost:80', ...headers })[name]
    const request = { method: 'GET', path: '/', query: '', remoteAddress: '', header }
    expect(cookieRefusal(request, undefined)).toBe('Not for other pages')
  })
})

describe('pages of other origins', () => {
  it('may read answers when they are listed, and never with a cookie', async () => {
    const server = await serveAccess(bearerAccess({ tokens }), { allowedOrigins: ['https://app.example'] })
    const origin = 'https://app.example'
    const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
    const preflight = await server.send('/ticket', { method: 'OPTIONS', headers: asked })
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-origin']).toBe(origin)
    expect(preflight.headers['access-control-allow-headers']).toContain('authorization')
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined()
    const known = await server.send('/', { headers: { origin, authorization } })
    const unknown = await server.send('/', { headers: { origin } })
    expect([known.status, unknown.status]).toEqual([200, 401])
    for (const reply of [known, unknown]) expect(reply.headers['access-control-allow-origin']).toBe(origin)
  })

  it('get nothing to read when they are not', async () => {
    const server = await serveAccess(bearerAccess({ tokens }), { allowedOrigins: ['https://app.example'] })
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'GET' }
    const reply = await server.send('/', { method: 'OPTIONS', headers })
    expect(reply.status).toBe(403)
    expect(reply.headers['access-control-allow-origin']).toBeUndefined()
  })
})
