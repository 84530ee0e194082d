import { createServer } from 'beckon'
import { StoreUnavailableError } from 'beckon/store'
import { createTestClient } from 'beckon/test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createDesk, type Desk, type Listening } from '../index.js'
import { RefusedError } from '../policy/refusals.js'
import { Servers } from './servers.js'

// A busy machine takes its time.
vi.setConfig({ testTimeout: 60_000 })

const token = 'a-token-of-the-shop'
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function openDesk(options: Parameters<typeof createDesk>[0] = {}): Promise<Desk & Listening> {
  const desk = createDesk({
    servers: { shop: token, other: 'a-token-of-another' },
    onError: error => {
      throw error
    },
    ...options,
  })
  const listening = await desk.listen()
  closing.push(() => desk.close())
  return { ...desk, ...listening }
}

function shopWith(desk: Parameters<typeof createServer>[0]['desk']) {
  const server = createServer({ name: 'shop', version: '1', desk, wait: 'hold' })
  server.tool('order', {}, async (_, ctx) => {
    const color = await ctx.elicit({ question: 'Which color?', schema: ['red', 'green'] })
    return ctx.text(`${color} ${await ctx.confirm('Sure?')}`)
  })
  const client = createTestClient(server, { capabilities: {} })
  closing.push(async () => {
    await client.close()
    await server.close()
  })
  return client
}

/** Answers what is open, as a person of this desk would. */
async function answer(desk: Listening, body: (message: string) => object): Promise<void> {
  const cookie = await signIn(desk.link)
  for (;;) {
    const { asks } = (await (await fetch(`${desk.url}api/asks`, { headers: { cookie } })).json()) as {
      asks: { id: string; session: string; message: string }[]
    }
    const [ask] = asks
    if (ask !== undefined) {
      const response = await fetch(
        `${desk.url}api/asks/${[ask.session, ask.id].map(encodeURIComponent).join('/')}/answer`,
        {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json', origin: new URL(desk.url).origin },
          body: JSON.stringify(body(ask.message)),
        },
      )
      expect(response.status, await response.clone().text()).toBe(200)
      return
    }
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

const cookies = new Map<string, string>()
async function signIn(link: string): Promise<string> {
  const known = cookies.get(link)
  if (known !== undefined) return known
  const response = await fetch(link, { redirect: 'manual' })
  const cookie = response.headers
    .getSetCookie()
    .map(set => set.split(';')[0])
    .join('; ')
  cookies.set(link, cookie)
  return cookie
}

describe('a server in another process', () => {
  it('has its asks answered on the desk whose URL it was given', async () => {
    const desk = await openDesk()
    const url = new URL(desk.url)
    url.username = 'shop'
    url.password = token
    const call = shopWith(url.href).callTool('order')
    await answer(desk, () => ({ content: { value: 'green' } }))
    await answer(desk, () => ({}))
    expect((await call).content[0]?.text).toBe('green true')
  })

  it.each([
    ['no token', undefined],
    ['a wrong one', 'a-token-of-nobody-here'],
    ['the link of a person', 'link'],
  ])('is a 401 with %s', async (_name, wrong) => {
    const desk = await openDesk()
    const headers = { 'content-type': 'application/json', ...(wrong && { authorization: `Bearer ${wrong}` }) }
    const body = JSON.stringify({ tool: 't', input: {} })
    expect((await fetch(`${desk.url}servers/calls/1`, { method: 'POST', headers, body })).status).toBe(401)
  })

  it('cannot see or answer anything with its token', async () => {
    const desk = await openDesk()
    for (const path of ['', 'api/asks', 'api/audit', 'api/sessions'])
      expect((await fetch(`${desk.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401)
  })

  it('cannot meet the calls of another', async () => {
    const desk = await openDesk()
    const send = (who: string, method: string, path: string, body: object) =>
      fetch(`${desk.url}servers/calls/${path}`, {
        method,
        headers: { authorization: `Bearer ${who}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await send(token, 'POST', '1', { tool: 't', input: {} })).status).toBe(200)
    const ask = { ask: { kind: 'confirm', message: 'Sure?' }, expiresAt: Date.now() + 60_000 }
    expect((await send('a-token-of-another', 'PUT', '1/asks/a', ask)).status).toBe(409)
  })

  it.each([
    ['a kind that is not there', { kind: 'sample', message: 'x' }],
    ['a nested form', { kind: 'form', message: 'x', form: { type: 'object', properties: { a: { type: 'object' } } } }],
    ['a script as a URL', { kind: 'url', message: 'x', url: 'javascript:alert(1)', elicitationId: 'e' }],
    ['nothing', undefined],
  ])('is told what is wrong with %s', async (_name, ask) => {
    const desk = await openDesk()
    const send = (method: string, path: string, body: object) =>
      fetch(`${desk.url}servers/calls/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await send('POST', '1', { tool: 't', input: {} })
    const refused = await send('PUT', '1/asks/a', { ask, expiresAt: Date.now() + 60_000 })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ detail: expect.any(String) })
  })

  it.each(['a%2Fb', '%C3%A9', '%00', '%20', 'x'.repeat(200)])('cannot name a call %j', async name => {
    const desk = await openDesk()
    const response = await fetch(`${desk.url}servers/calls/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tool: 't', input: {} }),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'request-invalid' })
  })

  it('tells a model why nobody could be asked', async () => {
    const desk = await openDesk()
    const result = await shopWith({ url: desk.url, token: 'not the one it has' })
      .callTool('order')
      .catch(error => error)
    expect(JSON.stringify(result.content ?? result.message)).toMatch(/elicit/i)
  })

  it('is told to attend a call again that was let go to stay within bounds', async () => {
    const place = { link: 'https://desk.example', ask: () => new Promise<never>(() => {}), leave: async () => {} }
    const clock = { now: () => 0, after: () => () => {} }
    const servers = new Servers({ tokens: { shop: token }, clock, maxPlaces: 2, attend: async () => place })
    const send = async (method: string, path: string, body: object) => {
      const request = { method, path: `/servers/calls/${path}`, authorization: `Bearer ${token}`, remoteAddress: '::1' }
      return (await servers.handle({ ...request, body })).status
    }
    const ask = { ask: { kind: 'confirm', message: 'Sure?' }, expiresAt: 1 }
    for (const call of ['1', '2', '1', '3']) expect(await send('POST', call, { tool: 't' })).toBe(200)
    expect(await send('PUT', '2/asks/a', ask)).toBe(409)
    expect(await Promise.race([send('PUT', '1/asks/a', ask), Promise.resolve('waits')])).toBe('waits')
  })

  it('is told to try again while the store of the desk is away, and no more once the turn is over', async () => {
    const errors: unknown[] = [
      new StoreUnavailableError('Postgres', new Error('away')),
      new RefusedError('It is over.'),
    ]
    const place = { link: 'https://desk.example', ask: () => Promise.reject(errors.shift()), leave: async () => {} }
    const clock = { now: () => 0, after: () => () => {} }
    const servers = new Servers({ tokens: { shop: token }, clock, attend: async () => place })
    const send = async (method: string, path: string, body: object) => {
      const request = { method, path: `/servers/calls/${path}`, authorization: `Bearer ${token}`, remoteAddress: '::1' }
      return (await servers.handle({ ...request, body })).status
    }
    const ask = { ask: { kind: 'confirm', message: 'Sure?' }, expiresAt: 1 }
    await send('POST', '1', { tool: 't' })
    expect(await send('PUT', '1/asks/a', ask)).toBe(503)
    expect(await send('PUT', '1/asks/a', ask)).toBe(409)
  })

  it('needs a token in its URL', () => {
    expect(() => createServer({ name: 's', version: '1', desk: 'https://desk.example' })).toThrow('BECKON_DESK_TOKEN')
  })
})
