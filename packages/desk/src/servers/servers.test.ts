import { createServer } from 'beckon'
import { StoreUnavailableError } from 'beckon/store'
import { createTestClient } from 'beckon/test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { RemoteSearches } from '../asks/remote-searches.js'
import { bearerAccess, createDesk, type Desk, type Listening } from '../index.js'
import { ServerAsks } from './server-asks.js'

// A busy machine takes its time.
vi.setConfig({ testTimeout: 60_000 })

const token = 'a-token-of-the-shop'
const other = 'a-token-of-another'
const sure = { id: 'sure', message: 'Sure?' }
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function openDesk(options: Parameters<typeof createDesk>[0] = {}): Promise<Desk & Listening> {
  const desk = createDesk({
    servers: { shop: token, other },
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

function send(desk: Listening, as: string | undefined, method: string, path: string, body?: object, more: object = {}) {
  const headers = { 'content-type': 'application/json', ...(as && { authorization: `Bearer ${as}` }), ...more }
  return fetch(`${desk.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}

async function opened(response: Response): Promise<{ session: string; id: string; link: string; expiresAt: number }> {
  expect(response.status).toBe(201)
  return response.json() as Promise<{ session: string; id: string; link: string; expiresAt: number }>
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
    expect((await send(desk, wrong, 'POST', 'api/asks', sure)).status).toBe(401)
  })

  it('works with the right token, however many wrong ones came before', async () => {
    const desk = await openDesk()
    for (let n = 0; n < 30; n++) await send(desk, `a-token-of-nobody-${n}`, 'POST', 'api/asks', sure)
    expect((await send(desk, token, 'POST', 'api/asks', sure)).status).toBe(201)
  })

  it('is turned away where a page of another origin sends its token', async () => {
    const desk = await openDesk()
    const headers = { origin: 'https://evil.example' }
    expect((await send(desk, token, 'POST', 'api/asks', sure, headers)).status).toBe(403)
  })

  it('cannot see or answer anything with its token', async () => {
    const desk = await openDesk()
    const { session, id } = await opened(await send(desk, token, 'POST', 'api/asks', sure))
    for (const path of ['', 'api/asks', 'api/audit', 'api/sessions', 'api/events', `api/asks/${session}/${id}`])
      expect((await send(desk, token, 'GET', path)).status).toBeGreaterThanOrEqual(400)
    expect((await send(desk, token, 'POST', `api/asks/${session}/${id}/answer`, {})).status).toBe(404)
  })

  it('cannot meet the asks of another', async () => {
    const desk = await openDesk()
    const { session, id } = await opened(await send(desk, token, 'POST', 'api/asks', sure))
    const path = `api/asks/${session}/${id}`
    expect((await send(desk, other, 'GET', `${path}/outcome?waitMs=0`)).status).toBe(404)
    expect((await send(desk, other, 'DELETE', path)).status).toBe(404)
    expect((await opened(await send(desk, other, 'POST', 'api/asks', sure))).session).not.toBe(session)
    expect((await send(desk, token, 'GET', `${path}/outcome?waitMs=0`)).status).toBe(202)
  })

  it('opens an ask once, waits for it, and withdraws it', async () => {
    const desk = await openDesk()
    const post = (more: object) => send(desk, token, 'POST', 'api/asks', { ...sure, ...more })
    const first = await opened(await post({}))
    expect(first.link).toMatch(/^http/)
    const { expiresAt } = first
    expect(await opened(await post({ timeoutMs: 5 }))).toMatchObject({
      session: first.session,
      id: first.id,
      expiresAt,
    })
    expect((await post({ message: 'Something else?' })).status).toBe(409)
    const path = `api/asks/${first.session}/${first.id}`
    const outcome = send(desk, token, 'GET', `${path}/outcome`)
    expect((await send(desk, token, 'DELETE', path)).status).toBe(200)
    expect(await (await outcome).json()).toEqual({ action: 'cancel', why: 'withdrawn' })
    expect((await send(desk, token, 'DELETE', 'api/asks/call-shop.none/none')).status).toBe(404)
  })

  it('is told at once that nobody of that name was ever here', async () => {
    const alice = 'a-token-of-alice-here'
    const desk = await openDesk({ access: bearerAccess({ tokens: { [alice]: { principal: 'alice' } } }) })
    await fetch(`${desk.url}api/asks`, { headers: { authorization: `Bearer ${alice}` } })
    const audience = { principals: ['alice', 'alcie'] }
    const reply = await send(desk, token, 'POST', 'api/asks', { ...sure, audience })
    expect(await reply.json()).toMatchObject({ unseen: ['alcie'] })
  })

  it('is told at once that nobody was ever in a group of that name', async () => {
    const alice = 'a-token-of-alice-here'
    const access = bearerAccess({ tokens: { [alice]: { principal: 'alice', groups: ['ops'] } } })
    const unseenOn = async (desk: Listening, ...groups: string[]) => {
      const body = { id: groups.join(), message: 'Sure?', audience: { groups } }
      return ((await (await send(desk, token, 'POST', 'api/asks', body)).json()) as { unseen?: string[] }).unseen
    }
    const bySignIn = await openDesk({ access })
    await fetch(`${bySignIn.url}api/asks`, { headers: { authorization: `Bearer ${alice}` } })
    expect(await unseenOn(bySignIn, 'ops', 'opps')).toEqual(['group opps'])
    expect(await unseenOn(bySignIn, 'ops')).toBeUndefined()
    const byList = await openDesk({ access, directory: { buyers: ['bob'], nobody: [] } })
    expect(await unseenOn(byList, 'buyers', 'nobody')).toEqual(['group nobody'])
  })

  it('has what it says about an ask shown', async () => {
    const desk = await openDesk()
    const about = { tool: 'drop', arguments: { table: 'users' }, destructive: true, asker: 'Acme', title: 'Clean up' }
    await send(desk, token, 'POST', 'api/asks', { ...sure, ...about, timeoutMs: 60_000 })
    const cookie = await signIn(desk.link)
    const { asks } = (await (await fetch(`${desk.url}api/asks`, { headers: { cookie } })).json()) as { asks: object[] }
    expect(asks).toMatchObject([
      {
        server: 'shop',
        tool: 'drop',
        arguments: { table: 'users' },
        destructive: true,
        asker: 'Acme',
        title: 'Clean up',
      },
    ])
    const [{ askedAt, expiresAt } = { askedAt: 0, expiresAt: 0 }] = asks as { askedAt: number; expiresAt: number }[]
    expect(expiresAt - askedAt).toBeLessThanOrEqual(60_000)
  })

  it.each([
    ['no message', { message: undefined }],
    ['no id', { id: '' }],
    ['a blank message', { message: ' \n' }],
    ['a blank id', { id: ' ' }],
    ['a time that is over', { expiresAt: 1_795_000_000 }],
    [
      'a member that is misspelled',
      { audiance: { principals: ['alice'] } },
      '"audiance" is not known here. Write audience.',
    ],
    ['a number that is misspelled', { quorun: 2 }, '"quorun" is not known here. Write quorum.'],
    [
      'a member of an audience that nobody reads',
      { audience: { principals: ['alice'], group: ['it'] } },
      'Write groups.',
    ],
    [
      'a member of an escalation that nobody reads',
      { escalation: { afterMs: 1, audience: { groups: ['it'] }, quorum: 2 } },
      'In escalation "quorum"',
    ],
    ['whom nobody would be escalated to', { escalation: { afterMs: 1, audience: { group: ['it'] } } }],
    ['a nested form', { schema: { type: 'object', properties: { a: { type: 'object' } } } }],
    ['a password', { schema: { type: 'object', properties: { password: { type: 'string' } } } }],
    ['a card number', { schema: { type: 'object', properties: { n: { type: 'string', title: 'Card number' } } } }],
    ['a script as a URL', { url: 'javascript:alert(1)' }],
    ['a URL and a form', { url: 'https://a.example', schema: { type: 'object', properties: {} } }],
    ['an audience that is a text', { audience: 'alice' }],
    ['an audience of nobody', { audience: {} }],
    ['an audience that is misspelled', { audience: { principal: ['alice'] } }],
    ['a quorum of more than could accept', { quorum: 3, audience: { principals: ['alice', 'bob'] } }],
    ['an audience of nobody but who called', { principal: 'rex', audience: { principals: ['rex'] } }],
    ['a page for two', { url: 'https://a.example', quorum: 2 }],
    ['a quorum of a half', { quorum: 0.5 }],
    ['no time', { timeoutMs: 'long' }],
    ['a call with a slash', { call: 'a/b' }],
    ['a call that is too long', { call: 'x'.repeat(200) }],
    ['a tool that is none', { tool: 1 }],
    ['an escalation to nobody', { escalation: { afterMs: 1 } }],
    ['reminders that are no times', { remindAfterMs: ['soon'] }],
    ['a warning that is none', { destructive: 'yes' }],
    ['a call without a name', { call: '' }],
    ['a title that is too long', { title: 'x'.repeat(501) }],
    ['a name that is too long', { principal: 'x'.repeat(501) }],
    ['more people than an ask is for', { audience: { principals: Array.from({ length: 1_001 }, (_, n) => `p${n}`) } }],
    ['more reminders than anybody needs', { remindAfterMs: Array.from({ length: 101 }, () => 1) }],
    ['a time that never comes', { expiresAt: 1e300 }],
    ['an escalation that never comes', { escalation: { afterMs: 1e300, audience: { groups: ['all'] } } }],
    ['a quorum that nobody reaches', { quorum: 1e9 }],
    ['arguments that are nested too deeply', { arguments: JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) }],
  ])('is told what is wrong with %s', async (_name, more, said = '') => {
    const desk = await openDesk()
    const refused = await send(desk, token, 'POST', 'api/asks', { ...sure, ...more })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ code: 'request-invalid', detail: expect.stringContaining(said) })
  })

  it('finds an ask again whose time is over', async () => {
    const desk = await openDesk()
    const open = (timeoutMs: object) => send(desk, token, 'POST', 'api/asks', { ...sure, ...timeoutMs })
    const first = await opened(await open({}))
    expect(await opened(await open({ expiresAt: 1 }))).toMatchObject({ session: first.session, id: first.id })
  })

  it('is refused an ask with a number that would be kept as another', async () => {
    const desk = await openDesk()
    const open = (limit: string) =>
      fetch(`${desk.url}api/asks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: `{"id":"sure","message":"Sure?","arguments":{"limit":${limit}}}`,
      })
    expect((await open('null')).status).toBe(201)
    const refused = await open('1e400')
    expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'action-invalid' }])
  })

  it('is told to wait when it sends too much, or has too much open', async () => {
    const desk = await openDesk({ limits: { serverRequests: { perSecond: 0.001, burst: 4 }, maxOpenAsksPerServer: 2 } })
    const open = async (id: string, by = token) => {
      const { status, headers } = await send(desk, by, 'POST', 'api/asks', { id, message: 'Sure?' })
      return [status, headers.get('retry-after')]
    }
    expect([await open('a'), await open('b'), await open('c'), await open('a')]).toEqual([
      [201, null],
      [201, null],
      [429, null],
      [201, null],
    ])
    expect(await open('d')).toEqual([429, '1'])
    expect(await open('a', other)).toEqual([201, null])
  })

  it('tells a model why nobody could be asked', async () => {
    const desk = await openDesk()
    const result = await shopWith({ url: desk.url, token: 'not the one it has' })
      .callTool('order')
      .catch(error => error)
    expect(JSON.stringify(result.content ?? result.message)).toContain(
      'Nobody could be asked: showing the form failed.',
    )
  })

  it('is told to try again while the store of the desk is away', async () => {
    const clock = { now: () => 0, after: () => () => {} }
    const away = () => Promise.reject(new StoreUnavailableError('Postgres', new Error('away')))
    const searches = new RemoteSearches(clock)
    const asks = new ServerAsks({
      clock,
      searches,
      open: away,
      isThere: away,
      outcome: away,
      withdraw: away,
      report: away,
    })
    const request = { query: new URLSearchParams(), header: () => undefined, body: sure }
    for (const [method, path] of [
      ['POST', '/api/asks'],
      ['GET', '/api/asks/call-shop.1/1/outcome'],
      ['DELETE', '/api/asks/call-shop.1/1'],
    ] as const)
      expect((await asks.handle('shop', { ...request, method, path })).status).toBe(503)
  })

  it('asks again, here or elsewhere, when the desk closes while it waits', async () => {
    const after = (ms: number, run: () => void) => {
      if (ms === 0) queueMicrotask(run)
      return () => {}
    }
    const clock = { now: () => 0, after }
    const waits = (_: unknown, signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const nothing = () => Promise.reject(new Error('Nothing else is asked.'))
    const searches = new RemoteSearches(clock)
    const asks = new ServerAsks({
      clock,
      searches,
      open: nothing,
      isThere: nothing,
      outcome: waits,
      withdraw: nothing,
      report: nothing,
    })
    const path = '/api/asks/call-shop.1/1/outcome'
    const request = { method: 'GET', path, query: new URLSearchParams(), header: () => undefined }
    const waiting = asks.handle('shop', request)
    asks.close()
    expect((await waiting).status).toBe(202)
    expect((await asks.handle('shop', request)).status).toBe(202)
  })

  it('needs a token in its URL', () => {
    expect(() => createServer({ name: 's', version: '1', desk: 'https://desk.example' })).toThrow('BECKON_DESK_TOKEN')
  })
})
