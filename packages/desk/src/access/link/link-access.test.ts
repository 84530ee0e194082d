import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { type AccessServer, serveAccess, ticketsIn } from '../../../test/access-server.js'
import { Browser } from '../../../test/browser.js'
import { admission } from '../admission.js'
import { type LinkAccess, linkAccess } from './link-access.js'

const minuteMs = 60_000

async function desk(): Promise<{
  access: LinkAccess
  server: AccessServer
  clock: { now(): number; at: number }
  link: (path?: string) => string
}> {
  const clock = { at: Date.UTC(2026, 0, 1), now: () => clock.at }
  const access = linkAccess({ clock })
  const server = await serveAccess(access)
  return { access, server, clock, link: path => access.link(server.url, path) }
}

describe('a one-time link', () => {
  it('signs a browser in, and is gone from the address', async () => {
    const { server, link } = await desk()
    const browser = new Browser()
    const reply = await browser.visit(link())
    expect(reply).toMatchObject({ status: 303, headers: { location: '/', 'referrer-policy': 'no-referrer' } })
    expect(reply.headers['cache-control']).toBe('no-store')
    const home = await browser.visit(`${server.url}/`)
    expect(JSON.parse(home.body)).toMatchObject({ principal: 'local', device: expect.stringMatching(/^[\w-]{22}$/) })
  })

  it('sets cookies that no script reads and no foreign page sends', async () => {
    const { server, link } = await desk()
    const { headers } = await new Browser().visit(link())
    const { port } = new URL(server.url)
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(`^beckon-session-${port}=[\\w-]{43}; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax$`),
      ),
      expect.stringMatching(
        new RegExp(`^beckon-device-${port}=[\\w-]{22}; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax$`),
      ),
    ])
  })

  it('works for one of two who open it at the same time', async () => {
    const { link } = await desk()
    const url = link()
    const replies = await Promise.all(Array.from({ length: 5 }, () => new Browser().visit(url)))
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401, 401])
  })

  it('tells who comes too late what to do', async () => {
    const { link } = await desk()
    const url = link()
    await new Browser().visit(url)
    const reply = await new Browser().visit(url)
    expect(reply.status).toBe(401)
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(reply.body).toMatch(/not good any more/)
  })

  it('leads someone on who is in already', async () => {
    const { link } = await desk()
    const browser = new Browser()
    const url = link()
    await browser.visit(url)
    expect(await browser.visit(url)).toMatchObject({ status: 303, headers: { location: '/' } })
  })

  it('expires after ten minutes', async () => {
    const { clock, link } = await desk()
    const [first, second] = [link(), link()]
    clock.at += 10 * minuteMs - 1
    expect((await new Browser().visit(first)).status).toBe(303)
    clock.at += 1
    expect((await new Browser().visit(second)).status).toBe(401)
  })

  it('is not used up by a browser that looks ahead, or by HEAD', async () => {
    const { server, link } = await desk()
    const url = link()
    expect((await new Browser().visit(url, { 'sec-purpose': 'prefetch;prerender' })).status).toBe(503)
    expect((await server.send(url, { method: 'HEAD' })).status).toBe(405)
    expect((await new Browser().visit(url)).status).toBe(303)
  })

  it('can lead to a path of the desk, and nowhere else', async () => {
    const { link } = await desk()
    expect((await new Browser().visit(link('/asks/1?a=b'))).headers.location).toBe('/asks/1?a=b')
    expect((await new Browser().visit(link('//evil.example'))).headers.location).toBe('/')
  })

  it('keeps a hundred at most', async () => {
    const { link } = await desk()
    const links = Array.from({ length: 101 }, () => link())
    expect((await new Browser().visit(links[0] ?? '')).status).toBe(401)
    expect((await new Browser().visit(links[1] ?? '')).status).toBe(303)
  })

  it.each([
    { host: '0.0.0.0', allowedHosts: ['desk.example'] },
    { host: '127.0.0.1', publicUrl: 'https://desk.example' },
  ])('is refused for a desk that other machines can reach: %o', where => {
    expect(() => admission({ access: linkAccess(), tickets: ticketsIn(), port: 80, ...where })).toThrow(
      /only this machine/,
    )
  })

  it('is not counted or used when a foreign page sends it', async () => {
    const { server, link } = await desk()
    const embedded = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
    for (let index = 0; index < 20; index++) {
      expect((await server.send(`/?key=${index}`, { headers: embedded })).status).toBe(403)
    }
    expect((await new Browser().visit(link())).status).toBe(303)
  })
})

const strangers: [string, string, Record<string, string>][] = [
  ['nothing', '/', {}],
  ['a wrong key', '/?key=wrong', {}],
  ['an empty key', '/?key=', {}],
  ['two keys', '/?key=KEY&key=KEY', {}],
  ['the key on another path', '/live?key=KEY', {}],
  ['the key as a token', '/', { authorization: 'Bearer KEY' }],
  ['the key as a cookie', '/', { cookie: 'beckon-session-PORT=KEY' }],
  ['the token outside a socket', '/live?token=TOKEN', {}],
  ['the token as a key', '/?key=TOKEN', {}],
  ['an empty cookie', '/', { cookie: 'beckon-session-PORT=' }],
  ['a cookie of another desk', '/', { cookie: 'beckon-session-1=SESSION' }],
  ['the cookie twice', '/', { cookie: 'beckon-session-PORT=SESSION; beckon-session-PORT=SESSION' }],
  ['the cookie in another header', '/', { authorization: 'Bearer SESSION' }],
]

describe('without a link', () => {
  it.each(strangers)('%s is a 401', async (_name, target, headers) => {
    const { access, server, link } = await desk()
    const browser = new Browser()
    await browser.visit(link())
    const secrets: Record<string, string> = {
      KEY: new URL(link()).searchParams.get('key') ?? '',
      TOKEN: new URL(access.socketUrl(server.url)).searchParams.get('token') ?? '',
      PORT: new URL(server.url).port,
      SESSION: [...browser.cookies.values()][0] ?? '',
    }
    const fill = (text: string): string => text.replace(/KEY|TOKEN|PORT|SESSION/g, name => secrets[name] ?? '')
    const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]))
    expect((await server.send(fill(target), { headers: filled })).status).toBe(401)
  })

  it('guessing ends after ten keys, for that address and that minute', async () => {
    const { server, clock, link } = await desk()
    const browser = new Browser()
    await browser.visit(link())
    const good = link()
    const guesses = Array.from({ length: 10 }, (_, index) => server.send(`/?key=guess-${index}`))
    expect((await Promise.all(guesses)).every(({ status }) => status === 401)).toBe(true)
    const blocked = await server.send('/?key=guess-10')
    expect(blocked).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
    expect((await browser.visit(`${server.url}/`)).status).toBe(200)
    clock.at += minuteMs
    expect((await server.send('/?key=guess-11')).status).toBe(401)
    expect((await new Browser().visit(good)).status).toBe(303)
  })

  it('works however many wrong ones came before', async () => {
    const { server, link } = await desk()
    const good = link()
    for (let index = 0; index < 12; index++) await server.send(`/?key=guess-${index}`)
    expect((await new Browser().visit(good)).status).toBe(303)
  })

  it('is not counted as wrong where a page elsewhere sends a browser here', async () => {
    const { server } = await desk()
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    for (let index = 0; index < 20; index++)
      expect((await server.send(`/?key=guess-${index}`, { headers })).status).toBe(403)
    expect((await server.send('/?key=mine')).status).toBe(401)
  })

  it('the same old link again and again is one guess', async () => {
    const { server, link } = await desk()
    for (let index = 0; index < 20; index++) expect((await server.send('/?key=old')).status).toBe(401)
    expect((await new Browser().visit(link())).status).toBe(303)
  })
})

describe('a session', () => {
  it('lives as long as it is used, for a week', async () => {
    const { server, clock, link } = await desk()
    const browser = new Browser()
    await browser.visit(link())
    for (let day = 1; day < 7; day++) {
      clock.at += 23 * 60 * minuteMs
      expect((await browser.visit(server.url)).status).toBe(200)
    }
    clock.at += 30 * 60 * minuteMs
    expect((await browser.visit(server.url)).status).toBe(401)
  })

  it('ends when nobody used it for a day', async () => {
    const { server, clock, link } = await desk()
    const browser = new Browser()
    await browser.visit(link())
    clock.at += 24 * 60 * minuteMs
    expect((await browser.visit(server.url)).status).toBe(401)
  })

  it('is a new one with each link', async () => {
    const { server, link } = await desk()
    const browser = new Browser()
    await browser.visit(link())
    const old = new Browser()
    for (const [name, value] of browser.cookies) old.cookies.set(name, value)
    await browser.visit(link())
    expect((await old.visit(server.url)).status).toBe(401)
    expect((await browser.visit(server.url)).status).toBe(200)
    expect(new Set([...browser.cookies].filter(([name]) => name.includes('device')))).toEqual(
      new Set([...old.cookies].filter(([name]) => name.includes('device'))),
    )
  })

  it('ends with a button on our own page, and not by a link or a foreign form', async () => {
    const { server, link } = await desk()
    const browser = new Browser()
    await browser.visit(link())
    expect((await browser.visit(`${server.url}/sign-out`)).body).toContain('<form method="post" action="/sign-out">')
    expect((await browser.send(`${server.url}/sign-out`, { method: 'POST' })).status).toBe(403)
    expect((await browser.send(`${server.url}/sign-out`, { method: 'DELETE' })).status).toBe(403)
    expect((await browser.visit(server.url)).status).toBe(200)
    const stolen = new Map(browser.cookies)
    expect((await browser.fromPage(`${server.url}/sign-out`, { method: 'POST' })).status).toBe(200)
    expect((await browser.visit(server.url)).status).toBe(401)
    for (const [name, value] of stolen) browser.cookies.set(name, value)
    expect((await browser.visit(server.url)).status).toBe(401)
  })

  it('ends when the desk closes', async () => {
    const { access, server, link } = await desk()
    const browser = new Browser()
    const url = link()
    await browser.visit(link())
    const socketUrl = access.socketUrl(server.url)
    access.close()
    expect((await browser.visit(server.url)).status).toBe(401)
    expect((await new Browser().visit(url)).status).toBe(401)
    expect((await server.upgrade(socketUrl.replace('ws:', 'http:'))).status).toBe(401)
  })
})

describe('a program', () => {
  it('connects to the socket address as it stands, any number of times', async () => {
    const { access, server } = await desk()
    const socketUrl = access.socketUrl(server.url)
    expect(socketUrl).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/live\?token=beckon_[\w-]{43}$/)
    for (let index = 0; index < 2; index++) {
      const reply = await server.upgrade(socketUrl.replace('ws:', 'http:'), { headers: { 'x-beckon-device': 'ci-7' } })
      expect(reply.status).toBe(101)
      expect(JSON.parse(reply.body)).toEqual({ principal: 'local', role: 'admin', device: 'ci-7' })
    }
  })

  it('may send its token as a bearer token anywhere', async () => {
    const { access, server } = await desk()
    const token = new URL(access.socketUrl(server.url)).searchParams.get('token')
    const reply = await server.send('/asks', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    expect(JSON.parse(reply.body)).toMatchObject({ principal: 'local', device: expect.stringMatching(/^d-[\w-]{16}$/) })
  })

  it('opens nothing but the socket with the token in the address', async () => {
    const { access, server } = await desk()
    const { search } = new URL(access.socketUrl(server.url))
    expect((await server.upgrade(`/other${search}`)).status).toBe(401)
    expect((await server.send(`/live${search}`)).status).toBe(401)
  })

  it('works after ten wrong tokens, when others have to wait', async () => {
    const { access, server } = await desk()
    for (let index = 0; index < 10; index++) {
      expect((await server.upgrade(`/live?token=beckon_${index}`)).status).toBe(401)
    }
    expect((await server.upgrade('/live?token=beckon_10')).status).toBe(429)
    expect((await server.upgrade(access.socketUrl(server.url).replace('ws:', 'http:'))).status).toBe(101)
    expect((await new Browser().visit(access.link(server.url))).status).toBe(303)
  })
})

it('lets a real WebSocket client in', async () => {
  const { WebSocket, WebSocketServer } = await import('ws')
  const { createServer } = await import('node:http')
  const { refuseUpgrade, requestOf } = await import('../node.js')
  const access = linkAccess()
  const http = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  const admit = admission({ access, tickets: ticketsIn(), host: '127.0.0.1', port })
  const sockets = new WebSocketServer({ noServer: true })
  http.on('upgrade', async (request, socket, head) => {
    const admitted = await admit(requestOf(request))
    if (admitted.kind === 'answered') return refuseUpgrade(socket, admitted.response)
    if (admitted.kind !== 'viewer') return
    sockets.handleUpgrade(request, socket, head, live => live.send(admitted.viewer.principal))
  })
  const live = new WebSocket(access.socketUrl(url))
  const [message] = await once(live, 'message')
  expect(String(message)).toBe('local')
  live.terminate()
  const refused = new WebSocket(`${url.replace('http', 'ws')}/live`)
  refused.on('error', () => {})
  const [, response] = await once(refused, 'unexpected-response')
  expect(response.statusCode).toBe(401)
  http.closeAllConnections()
  http.close()
})
