// Two nodes on one store: what an admin does at one holds at the other.
import { memoryStore } from 'beckon'
import { storeRecords } from 'beckon/sign-in/adapter'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { anyOf, bearerAccess, createDesk, type Desk, type Person } from '../index.js'
import { notify } from '../notify/index.js'
import { push } from '../notify/push/push.js'

// A busy machine takes its time.
vi.setConfig({ testTimeout: 60_000 })

const people: Record<string, Person> = {
  'token-of-the-admin': { principal: 'root', role: 'admin' },
  'token-of-an-auditor': { principal: 'iris', role: 'auditor' },
  'token-of-ada-lovelace': { principal: 'ada' },
}

const store = () => {
  const kept = { failing: undefined as RegExp | undefined }
  const memory = memoryStore()
  const made = new Proxy(memory, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) =>
        name === 'append' && kept.failing?.test(String(given[0]))
          ? Promise.reject(new Error('The store is away.'))
          : Reflect.apply(value, target, given)
    },
  })
  const records = storeRecords<Person>(made, 'access/session', ({ principal }) => principal)
  return Object.assign(kept, { made, records })
}
const problems: unknown[] = []
let kept: ReturnType<typeof store>
let nodes: { readonly desk: Desk; readonly url: string }[] = []

async function node() {
  const desk = createDesk({
    store: kept.made,
    access: anyOf(bearerAccess({ tokens: people }), {
      authenticate: async () => undefined,
      handle: async () => undefined,
      sessions: kept.records.owned,
    }),
    servers: { given: 'a-token-that-was-given' },
    notify: notify({ channels: [push()] }),
    onError: error => problems.push(error),
  })
  return { desk, url: (await desk.listen()).url }
}

beforeEach(async () => {
  kept = store()
  nodes = [await node(), await node()]
})
afterEach(async () => {
  for (const { desk } of nodes) await desk.close()
  expect(problems.splice(0).filter(problem => !/store is away/.test(String(problem)))).toEqual([])
})

interface Wanted {
  readonly as?: string
  readonly at?: number
  readonly body?: unknown
}

async function send(method: string, path: string, { as = 'token-of-the-admin', at = 0, body }: Wanted = {}) {
  const response = await fetch(new URL(path, nodes[at]?.url), {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${as}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, body: isJson ? await response.json() : undefined }
}

const openAsk = (token: string, at = 0, id = '1') =>
  send('POST', '/api/asks', { as: token, at, body: { id, message: 'Order?' } })

async function signedIn() {
  const startedAt = Date.now()
  const record = { person: { principal: 'ada' }, startedAt, expiresAt: startedAt + 60_000 }
  await kept.records.add('secret-one', record)
  await kept.records.add('secret-two', record)
  await kept.records.add('secret-of-another', { ...record, person: { principal: 'eve' } })
}

describe('whoever is not an admin', () => {
  it.each(['token-of-an-auditor', 'token-of-ada-lovelace'])(
    'is refused everything, which is in the audit: %s',
    async as => {
      const everything = [
        ['GET', '/api/admin'],
        ['GET', '/api/admin/people'],
        ['GET', '/api/admin/people/ada'],
        ['DELETE', '/api/admin/people/ada'],
        ['GET', '/api/admin/people/ada/sessions'],
        ['DELETE', '/api/admin/people/ada/sessions'],
        ['DELETE', '/api/admin/people/ada/sessions/one'],
        ['GET', '/api/admin/tokens'],
        ['POST', '/api/admin/tokens'],
        ['POST', '/api/admin/tokens/shop/rotate'],
        ['DELETE', '/api/admin/tokens/shop'],
        ['GET', '/api/admin/asks'],
        ['POST', '/api/admin/asks/one/two/withdraw'],
      ] as const
      for (const [method, path] of everything)
        expect(await send(method, path, { as }), path).toMatchObject({ status: 403, body: { code: 'not-allowed' } })
      const { principal } = people[as] ?? {}
      const refused = await nodes[1]?.desk.audit.query({ principal: principal ?? '' })
      expect(refused?.map(({ event, reason }) => `${event} ${reason}`)).toEqual(
        everything.map(([method, path]) => `rejected For admins: ${method} ${path}`),
      )
    },
  )

  it('writes no more into the audit than says what was tried', async () => {
    const as = 'token-of-ada-lovelace'
    expect((await send('GET', `/api/admin/people/${'x'.repeat(10_000)}`, { as })).status).toBe(403)
    const [refused] = (await nodes[1]?.desk.audit.query({ principal: 'ada' })) ?? []
    expect(refused?.reason).toMatch(/^For admins: GET \/api\/admin\/people\/x{50,300}…$/)
  })

  it('is refused although it is a server that may open asks', async () => {
    expect((await send('GET', '/api/admin', { as: 'a-token-that-was-given' })).status).toBe(404)
  })
})

describe('the token of a server', () => {
  it('is shown once, kept as a digest, and good at once on every node', async () => {
    const made = await send('POST', '/api/admin/tokens', { body: { server: 'shop' } })
    expect(made).toMatchObject({ status: 201, body: { server: 'shop', token: expect.stringMatching(/^bks_/) } })
    const { token } = made.body
    expect((await openAsk(token, 1)).status).toBe(201)
    expect(await send('GET', '/api/admin/tokens', { at: 1 })).toEqual({
      status: 200,
      body: { tokens: [{ id: made.body.id, server: 'shop', createdAt: expect.any(Number) }] },
    })
    const log = await kept.made.read('desk/server-tokens', { limit: 10 })
    expect(JSON.stringify(log)).toContain('shop')
    expect(JSON.stringify(log)).not.toContain(token)
    expect((await send('POST', '/api/admin/tokens', { body: { server: 'shop' } })).status).toBe(409)
    expect((await send('POST', '/api/admin/tokens', { body: { server: '../x' } })).status).toBe(400)
  })

  it('is replaced by another, beside which it is good for a while, or not at all', async () => {
    const { body: first } = await send('POST', '/api/admin/tokens', { body: { server: 'shop' } })
    const { body: second } = await send('POST', '/api/admin/tokens/shop/rotate', { body: { graceMinutes: 5 } })
    expect(await Promise.all([openAsk(first.token, 1), openAsk(second.token, 1)])).toMatchObject([
      { status: 201 },
      { status: 201 },
    ])
    const { body: third } = await send('POST', '/api/admin/tokens/shop/rotate', { body: { graceMinutes: 0 } })
    expect((await openAsk(third.token, 0)).status).toBe(201)
    expect((await openAsk(second.token, 0)).status).toBe(401)
    expect((await openAsk(first.token, 0)).status).toBe(401)
    expect((await send('POST', '/api/admin/tokens/other/rotate')).status).toBe(404)
    expect((await send('POST', '/api/admin/tokens/shop/rotate', { body: { graceMinutes: -1 } })).status).toBe(400)
  })

  it('is good nowhere once it was taken back, and that is in the audit', async () => {
    const { body: made } = await send('POST', '/api/admin/tokens', { body: { server: 'shop' } })
    expect((await openAsk(made.token, 1)).status).toBe(201)
    expect(await send('DELETE', '/api/admin/tokens/shop')).toEqual({ status: 200, body: { revoked: 1 } })
    // The other node has heard of it, or looks again within a second.
    await expect.poll(async () => (await openAsk(made.token, 1)).status, { timeout: 5_000 }).toBe(401)
    expect((await send('DELETE', '/api/admin/tokens/shop')).status).toBe(404)
    const events = (await nodes[0]?.desk.audit.query({ principal: 'root' })) ?? []
    expect(events.map(({ event, server }) => [event, server])).toEqual([
      ['token-created', 'shop'],
      ['token-revoked', 'shop'],
    ])
    expect(JSON.stringify(events)).not.toContain(made.token)
  })
})

describe('what an admin does', () => {
  it('is not done where it cannot be written into the audit', async () => {
    const { body: made } = await send('POST', '/api/admin/tokens', { body: { server: 'shop' } })
    const rule = { id: 'no', effect: 'deny', match: { tool: 'order' } }
    expect((await send('POST', '/api/rules', { body: rule })).status).toBe(201)
    await signedIn()
    kept.failing = /\/audit\//
    const acts = [
      ['DELETE', '/api/admin/tokens/shop'],
      ['POST', '/api/admin/tokens/shop/rotate'],
      ['POST', '/api/admin/tokens', { server: 'other' }],
      ['DELETE', '/api/admin/people/ada/sessions'],
      ['DELETE', '/api/admin/people/ada'],
      ['GET', '/api/admin/people/ada'],
      ['DELETE', '/api/rules/no'],
      ['POST', '/api/rules', { ...rule, id: 'another' }],
    ] as const
    for (const [method, path, body] of acts)
      expect((await send(method, path, { body })).status, `${method} ${path}`).toBeGreaterThanOrEqual(500)
    kept.failing = undefined
    expect((await openAsk(made.token)).status).toBe(201)
    expect((await send('GET', '/api/admin/tokens')).body.tokens).toMatchObject([{ id: made.id }])
    expect((await send('GET', '/api/rules')).body.rules).toMatchObject([{ id: 'no' }])
    expect(await kept.records.find('secret-one')).toBeDefined()
  })

  it('does not leave a token good that is in the settings of the desk, behind one that is revoked', async () => {
    const { body: made } = await send('POST', '/api/admin/tokens', { body: { server: 'given' } })
    const refused = await send('DELETE', '/api/admin/tokens/given')
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining('("servers")') } })
    expect((await openAsk(made.token)).status).toBe(201)
    expect((await openAsk('a-token-that-was-given', 0, '2')).status).toBe(201)
    const events = (await nodes[0]?.desk.audit.query({ principal: 'root' })) ?? []
    expect(events.map(({ event }) => event)).toEqual(['token-created'])
  })
})

describe('an open ask', () => {
  it('is listed for an admin whoever is asked, the newest first, without its arguments', async () => {
    const open = (id: string, more: object) =>
      send('POST', '/api/asks', { as: 'a-token-that-was-given', body: { id, message: `${id}?`, ...more } })
    await open('one', { audience: { principals: ['ada'] }, tool: 'pay', arguments: { card: '4111' } })
    await open('two', { principal: 'eve', url: 'https://id.example/' })
    await open('three', { timeoutMs: 1_000 })
    const { body } = await send('GET', '/api/admin/asks', { at: 1 })
    expect(body).toEqual({ asks: [expect.anything(), expect.anything(), expect.anything()] })
    expect(body.asks.map(({ message }: { message: string }) => message).sort()).toEqual(['one?', 'three?', 'two?'])
    const times = body.asks.map(({ askedAt }: { askedAt: number }) => askedAt)
    expect(times).toEqual([...times].sort((a, b) => b - a))
    const one = body.asks.find(({ id }: { id: string }) => id === 'given.one.one')
    expect(one).toMatchObject({ session: 'call-given.one', server: 'given', tool: 'pay', to: { principals: ['ada'] } })
    expect(JSON.stringify(body)).not.toContain('4111')
    // Their inbox has what they may answer.
    const inbox = await send('GET', '/api/asks')
    expect(inbox.body.asks.map(({ message }: { message: string }) => message)).toEqual(['three?'])
  })

  it('is withdrawn, and its server hears that nobody answered', async () => {
    await openAsk('a-token-that-was-given')
    const { asks } = (await send('GET', '/api/asks')).body
    const [{ session, id }] = asks
    expect((await send('POST', `/api/admin/asks/${session}/${id}/withdraw`, { at: 1 })).status).toBe(200)
    expect((await send('POST', `/api/admin/asks/${session}/${id}/withdraw`, { at: 1 })).status).toBe(404)
    const outcome = await send('GET', `/api/asks/${session}/${id}/outcome`, { as: 'a-token-that-was-given' })
    expect(outcome).toEqual({ status: 200, body: { action: 'cancel', why: 'withdrawn' } })
    const entries = await nodes[1]?.desk.audit.query({ session })
    expect(entries?.find(({ event }) => event === 'withdrawn')).toMatchObject({ by: { principal: 'root' } })
  })
})

describe('a person', () => {
  it('is listed once they were here', async () => {
    await send('GET', '/api/me', { as: 'token-of-ada-lovelace' })
    await vi.waitFor(async () => {
      const { body } = await send('GET', '/api/admin/people', { at: 1 })
      expect(body.people.map(({ principal }: Person) => principal)).toContain('ada')
    })
    const first = await send('GET', '/api/admin/people?limit=1')
    const second = await send('GET', `/api/admin/people?limit=1&cursor=${encodeURIComponent(first.body.nextCursor)}`)
    expect([first, second].flatMap(({ body }) => body.people.map(({ principal }: Person) => principal)).sort()).toEqual(
      ['ada', 'root'],
    )
  })

  it('is signed out in one place, or everywhere, and nobody else is', async () => {
    await signedIn()
    const { sessions } = (await send('GET', '/api/admin/people/ada/sessions')).body
    expect(sessions).toHaveLength(2)
    expect(JSON.stringify(sessions)).not.toContain('secret')
    expect(await send('DELETE', `/api/admin/people/eve/sessions/${sessions[0].id}`)).toMatchObject({ status: 404 })
    expect((await send('DELETE', `/api/admin/people/ada/sessions/${sessions[0].id}`)).body).toEqual({ ended: 1 })
    expect((await send('DELETE', '/api/admin/people/ada/sessions', { at: 1 })).body).toEqual({ ended: 1 })
    expect(await kept.records.find('secret-one')).toBeUndefined()
    expect(await kept.records.find('secret-two')).toBeUndefined()
    expect(await kept.records.find('secret-of-another')).toBeDefined()
  })

  it('gets all that is kept of them, and has it erased', async () => {
    await signedIn()
    const as = 'token-of-ada-lovelace'
    const until = Date.now() + 60_000
    await send('GET', '/api/me', { as: 'token-of-the-admin' })
    await vi.waitFor(async () => expect(await send('GET', '/api/admin/people/root')).toMatchObject({ status: 200 }))
    expect((await send('PUT', '/api/me/away', { as, body: { from: Date.now(), until, to: 'root' } })).status).toBe(200)
    const rule = { effect: 'allow', match: { server: 'given', tool: 'order' } }
    expect((await send('POST', '/api/rules', { as, body: rule })).status).toBe(201)
    expect((await send('PUT', '/api/notify', { as, body: { language: 'de' } })).status).toBe(200)
    const exported = await send('GET', '/api/admin/people/ada', { at: 1 })
    expect(exported.body).toMatchObject({
      principal: 'ada',
      kept: {
        sessions: [{}, {}],
        away: { to: 'root' },
        rules: [{ owner: 'ada' }],
        notifications: { settings: { language: 'de' } },
        seen: { principal: 'ada' },
      },
      audit: [{ event: 'away-set' }, { event: 'rule-added' }],
    })
    const { erased } = (await send('DELETE', '/api/admin/people/ada')).body
    expect(erased).toEqual(['sessions', 'away', 'rules', 'notifications', 'seen'])
    expect((await send('GET', '/api/admin/people/ada')).body.kept).toEqual({})
    const actions = await nodes[0]?.desk.audit.query({ principal: 'root' })
    expect(actions?.map(({ event, person }) => [event, person])).toEqual([
      ['person-exported', 'root'],
      ['person-exported', 'ada'],
      ['person-erased', 'ada'],
      ['person-exported', 'ada'],
    ])
  })
})
