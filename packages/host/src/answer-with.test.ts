import { AsyncLocalStorage } from 'node:async_hooks'
import { diff, markdown } from '@beckon/core/blocks'
import { type Access, createDesk, type Desk } from '@beckon/desk'
import type { Client } from '@modelcontextprotocol/client'
import { type BeckonServer, createServer } from 'beckon'
import { readMessage } from 'beckon/desk/adapter'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createClient, type Era, eras, tasks, ways } from '../test/eras.js'
import { Person } from '../test/person.js'
import { type Answered, type AnswerOptions, answerWith } from './index.js'

/** Whoever comes is Bo. */
const bo: Access = {
  loopbackOnly: true,
  authenticate: async () => ({ principal: 'bo', device: 'test' }),
  handle: async () => undefined,
}

const text = (value: string) => ({ kind: 'text', value })

let desk: Desk
let person: Person
let server: BeckonServer
const clients: Client[] = []
const problems: string[] = []

beforeEach(async () => {
  desk = createDesk({ access: bo })
  person = await Person.at((await desk.listen()).socketUrl)
  server = createShop()
  problems.length = 0
})

afterEach(async () => {
  vi.useRealTimers()
  person.close()
  for (const client of clients.splice(0)) await client.close()
  await server.close()
  await desk.close()
})

function createShop(name = 'shop'): BeckonServer {
  return createServer({ name, version: '1.0.0' })
    .tool('remove', { task: 'optional' }, async (_input, ctx) =>
      (await ctx.confirm('Remove all?')) ? 'Removed.' : 'Kept.',
    )
    .tool('sure', { task: 'optional' }, async (_input, ctx) =>
      JSON.stringify(await ctx.confirm.outcome('Are you sure?')),
    )
    .tool('greet', { task: 'optional', input: z.object({ in: z.string() }) }, async (input, ctx) => {
      const outcome = await ctx.elicit.form(
        'Who are you?',
        z.object({ name: z.string().min(2), role: z.enum(['guest', 'owner']).default('guest') }),
      )
      return `${input.in}: ${JSON.stringify(outcome)}`
    })
    .tool('twice', { task: 'optional' }, async (_input, ctx) => {
      const first = await ctx.elicit({ question: 'First?', schema: z.object({ value: z.string() }) })
      const second = await ctx.elicit({ question: 'Second?', schema: z.object({ value: z.string() }) })
      return `${first?.value} ${second?.value}`
    })
    .tool('hang', { task: 'optional' }, async (_input, ctx) => {
      await ctx.confirm('Still there?')
      return 'Here.'
    })
    .tool('visit', { task: 'optional' }, async (_input, ctx) => {
      const { action } = await ctx.elicit.url('Sign in.', 'https://example.com/sign-in?step=1')
      return action
    })
    .tool('silent', {}, () => new Promise<string>(() => {}))
    .tool('quiet', {}, () => 'Nothing to ask.')
}

async function connect(
  era: Era,
  way: keyof typeof ways,
  { capabilities = {}, to = server, ...options }: AnswerOptions & { capabilities?: object; to?: BeckonServer } = {},
): Promise<{ client: Client; answered: Answered }> {
  const client = createClient(era, capabilities)
  clients.push(client)
  const answered = answerWith(desk, client, { log: problem => problems.push(problem), ...options })
  await client.connect(await ways[way](to))
  return { client, answered }
}

const said = ({ content }: Awaited<ReturnType<Answered['callTool']>>) =>
  content.map(block => 'text' in block && block.text)

const wires = [
  ...(Object.keys(eras) as Era[]).flatMap(era =>
    (Object.keys(ways) as (keyof typeof ways)[]).map(way => ({ era, way, capabilities: {}, wire: 'asks' })),
  ),
  ...(Object.keys(ways) as (keyof typeof ways)[]).map(way => ({
    era: '2026-07-28' as const,
    way,
    capabilities: { ...tasks, elicitation: { form: {}, url: {} } },
    wire: 'tasks',
  })),
]

describe.each(wires)('$wire of $era over $way', ({ era, way, capabilities, wire }) => {
  it('are accepted with an answer that the server gets', async () => {
    const { answered } = await connect(era, way, { capabilities })
    const result = answered.callTool({ name: 'greet', arguments: { in: 'lobby' } })
    const ask = await person.next()
    expect(ask).toMatchObject({
      title: 'shop',
      server: 'shop',
      request: {
        message: 'Who are you?',
        questions: [
          { id: 'name', kind: 'text', required: true },
          { id: 'role', kind: 'single-select' },
        ],
        _meta: { 'beckon/tool': 'greet', 'beckon/arguments': { in: 'lobby' } },
      },
    })
    await person.accept(ask, { name: text('Ada'), role: { kind: 'selected', value: 'owner' } })
    expect(said(await result)).toEqual(['lobby: {"action":"accept","content":{"name":"Ada","role":"owner"}}'])
    await person.happened('session/turnComplete')
  })

  it('show on the desk what is shown beside the question, and not once more in the message', async () => {
    const show = [diff('a', 'b', { title: 'x.txt' }), markdown('<b>bold</b>')]
    server.tool('save', { task: 'optional' }, async (_input, ctx) =>
      String(await ctx.confirm({ question: 'Save?', show })),
    )
    const { answered } = await connect(era, way, { capabilities })
    const result = answered.callTool({ name: 'save' })
    const ask = await person.next()
    // This person's client knows no blocks: the desk has put them into its message.
    expect(readMessage(ask.request.message ?? '', ask.request._meta)).toEqual({ question: 'Save?', blocks: show })
    await person.accept(ask)
    expect(said(await result)).toEqual(['true'])
  })

  it('are a yes or no with who gave it and why, as the desk has it', async () => {
    const { answered } = await connect(era, way, { capabilities })
    const call = (on = answered) => on.callTool({ name: 'sure' }).then(result => JSON.parse(String(said(result)[0])))
    const by = [{ name: 'bo' }]
    const accepted = call()
    await person.accept(await person.next())
    expect(await accepted).toEqual({ action: 'accept', by })
    const declined = call()
    await person.decline(await person.next(), 'Not on a Friday.')
    expect(await declined).toEqual({ action: 'decline', reason: 'Not on a Friday.', by })
    const cancelled = call()
    await person.cancel(await person.next())
    expect(await cancelled).toEqual({ action: 'cancel', by })
    const quiet = await connect(era, way, { capabilities, tellsWho: false })
    const untold = call(quiet.answered)
    await person.accept(await person.next())
    expect(await untold).toEqual({ action: 'accept' })
    const hasty = await connect(era, way, { capabilities, terms: { timeoutMs: 1 } })
    expect(await call(hasty.answered)).toEqual({ action: 'cancel', why: 'expired' })
  })

  it('are declined and cancelled, each as itself', async () => {
    const { answered } = await connect(era, way, { capabilities })
    const declined = answered.callTool({ name: 'greet', arguments: { in: 'a' } })
    await person.decline(await person.next())
    expect(said(await declined)).toEqual(['a: {"action":"decline","content":{}}'])
    const explained = answered.callTool({ name: 'greet', arguments: { in: 'c' } })
    await person.decline(await person.next(), 'Too nosy.')
    expect(said(await explained)).toEqual(['c: {"action":"decline","reason":"Too nosy.","content":{}}'])
    const cancelled = answered.callTool({ name: 'greet', arguments: { in: 'b' } })
    await person.cancel(await person.next())
    expect(said(await cancelled)).toEqual(['b: {"action":"cancel","content":{}}'])
    await person.happened('session/turnComplete', 3)
    expect(person.sessions).toHaveLength(1)
  })

  it('are confirmed without questions', async () => {
    const { answered, client } = await connect(era, way, { capabilities })
    const request = vi.spyOn(client, 'request')
    const result = answered.callTool({ name: 'remove' })
    const ask = await person.next()
    const methods = request.mock.calls.map(([{ method }]) => method)
    expect(methods.includes('tasks/get')).toBe(wire === 'tasks')
    expect(ask.request.questions).toBeUndefined()
    await person.accept(ask)
    expect(said(await result)).toEqual(['Removed.'])
  })

  it('are not completed by an answer that does not fit', async () => {
    const { answered } = await connect(era, way, { capabilities })
    const result = answered.callTool({ name: 'greet', arguments: { in: 'lobby' } })
    const ask = await person.next()
    const role = { kind: 'selected', value: 'guest' }
    expect(await person.accept(ask, { name: text('A'), role })).toMatch('at least 2')
    expect(await person.accept(ask, { name: text('Ada'), role: { kind: 'selected', value: 'king' } })).toBeTruthy()
    expect(await person.accept(ask, { role })).toMatch('required')
    expect(await person.accept(ask, { name: text('Ada'), role })).toBeUndefined()
    expect(said(await result)[0]).toContain('"Ada"')
  })

  it('come one after the other', async () => {
    const { answered } = await connect(era, way, { capabilities })
    const result = answered.callTool({ name: 'twice' })
    await person.accept(await person.next(), { value: text('one') })
    await person.accept(await person.next(), { value: text('two') })
    expect(said(await result)).toEqual(['one two'])
    await person.happened('session/turnComplete', 2)
  })

  it('leave the desk when the caller gives up', async () => {
    const { answered } = await connect(era, way, { capabilities })
    const stop = new AbortController()
    const result = answered.callTool({ name: 'hang' }, { signal: stop.signal })
    result.catch(() => {})
    const ask = await person.next()
    stop.abort(new Error('Enough.'))
    await expect(result).rejects.toThrow('Enough.')
    await person.gone(ask)
    await person.happened('session/turnCancelled')
  })

  it('leave the desk when the connection ends', async () => {
    const { answered, client } = await connect(era, way, { capabilities })
    const result = answered.callTool({ name: 'hang' })
    result.catch(() => {})
    const ask = await person.next()
    await client.close()
    await person.gone(ask)
    await expect(result).rejects.toThrow()
  })

  it.skipIf(era === '2025-06-18')('show a page to visit in full, and take consent for it', async () => {
    const { answered } = await connect(era, way, { capabilities })
    for (const [how, action] of [
      ['accept', 'accept'],
      ['decline', 'decline'],
      ['cancel', 'cancel'],
    ] as const) {
      const result = answered.callTool({ name: 'visit' })
      const ask = await person.next()
      expect(ask.request).toMatchObject({ message: 'Sign in.', url: 'https://example.com/sign-in?step=1' })
      await person[how](ask)
      expect(said(await result)).toEqual([action])
    }
  })
})

describe('answerWith', () => {
  it('shows calls of several clients apart, each with the name of its server', async () => {
    const bank = createShop('bank')
    const shop = await connect('2025-11-25', 'http')
    const other = await connect('2026-07-28', 'http', { to: bank })
    const results = [shop, other].map(({ answered }) => answered.callTool({ name: 'remove' }))
    const asks = [await person.next(), await person.next()]
    expect(asks.map(({ server: name }) => name).sort()).toEqual(['bank', 'shop'])
    expect(new Set(asks.map(({ channel }) => channel)).size).toBe(2)
    for (const ask of asks) await (ask.server === 'shop' ? person.accept(ask) : person.decline(ask))
    expect((await Promise.all(results)).map(said)).toEqual([['Removed.'], ['Kept.']])
    await bank.close()
  })

  it.each(['http', 'memory'] as const)('tells overlapping calls of 2026-07-28 apart over %s', async way => {
    const { answered } = await connect('2026-07-28', way)
    const greeted = answered.callTool({ name: 'greet', arguments: { in: 'lobby' } })
    const removed = answered.callTool({ name: 'remove' })
    const asks = [await person.next(), await person.next()]
    const tools = asks.map(({ request }) => [request.message, request._meta?.['beckon/tool']])
    expect(Object.fromEntries(tools)).toEqual({ 'Who are you?': 'greet', 'Remove all?': 'remove' })
    for (const ask of asks) await person.decline(ask)
    expect(said(await removed)).toEqual(['Kept.'])
    expect(said(await greeted)[0]).toContain('decline')
  })

  it('tells overlapping calls of 2025 apart where each has a stream of its own', async () => {
    const { answered } = await connect('2025-11-25', 'http')
    const results = [answered.callTool({ name: 'remove' }), answered.callTool({ name: 'hang' })]
    const asks = [await person.next(), await person.next()]
    const tools = asks.map(({ request }) => [request.message, request._meta?.['beckon/tool']])
    expect(Object.fromEntries(tools)).toEqual({ 'Remove all?': 'remove', 'Still there?': 'hang' })
    for (const ask of asks) await person.accept(ask)
    expect((await Promise.all(results)).flatMap(said)).toEqual(['Removed.', 'Here.'])
  })

  it('does not guess which of two calls a pushed ask belongs to', async () => {
    const { answered } = await connect('2025-11-25', 'memory')
    const results = [answered.callTool({ name: 'remove' }), answered.callTool({ name: 'hang' })]
    const asks = [await person.next(), await person.next()]
    expect(asks[1]?.request._meta).toBeUndefined()
    for (const ask of asks) await person.accept(ask)
    expect((await Promise.all(results)).flatMap(said).sort()).toEqual(['Here.', 'Removed.'])
  })

  it.each(['2025-11-25', '2026-07-28'] as const)(
    'does not take a call for one that the client makes on %s',
    async era => {
      const { answered, client } = await connect(era, 'memory')
      const own = answered.callTool({ name: 'silent' })
      own.catch(() => {})
      const result = client.callTool({ name: 'remove' })
      const ask = await person.next()
      expect(ask.request).toEqual({ id: expect.any(String), message: 'Remove all?' })
      await person.accept(ask)
      expect(said(await result)).toEqual(['Removed.'])
      answered.close()
    },
  )

  it('leaves a task to whoever follows it, and puts what they pass on', async () => {
    const { answered, client } = await connect('2026-07-28', 'http', {
      capabilities: { ...tasks, elicitation: { form: {}, url: {} } },
    })
    expect(await answered.beginTool({ name: 'quiet' })).toMatchObject({ content: [{ text: 'Nothing to ask.' }] })
    const task = await answered.beginTool({ name: 'remove' })
    expect(task).toMatchObject({ taskId: expect.any(String), ttlMs: expect.any(Number) })
    expect(person.sessions).toEqual([])
    const { signal } = new AbortController()
    const subject = { tool: 'remove', input: {} }
    const outcome = answered.elicit({ message: 'Remove all?' }, { signal, subject })
    const ask = await person.next()
    expect(ask.request._meta).toEqual({ 'beckon/tool': 'remove', 'beckon/arguments': {} })
    await person.accept(ask)
    expect(await outcome).toEqual({ action: 'accept', content: { 'beckon/by': ['bo'] } })
    await client.close()
  })

  it('leaves nothing on the desk for a call that asks nothing', async () => {
    const { answered } = await connect('2026-07-28', 'http')
    expect(said(await answered.callTool({ name: 'quiet' }))).toEqual(['Nothing to ask.'])
    expect(person.sessions).toEqual([])
  })

  it('answers calls that the client makes by itself', async () => {
    for (const era of ['2025-11-25', '2026-07-28'] as const) {
      const { client } = await connect(era, 'memory')
      const result = client.callTool({ name: 'remove' })
      await person.accept(await person.next())
      expect(said(await result)).toEqual(['Removed.'])
    }
  })

  it.each(['2025-11-25', '2026-07-28'] as const)('does not count the time that a person takes on %s', async era => {
    const { answered } = await connect(era, 'memory')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const result = answered.callTool({ name: 'remove' })
    const ask = await person.next()
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    await person.accept(ask)
    expect(said(await result)).toEqual(['Removed.'])
  })

  it.each(['2025-11-25', '2026-07-28'] as const)('gives up on a server that is silent on %s', async era => {
    const { answered } = await connect(era, 'memory')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const result = answered.callTool({ name: 'silent' }, { timeout: 5_000 })
    const refused = expect(result).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
    await vi.advanceTimersByTimeAsync(5_001)
    await refused
  })

  it('begins another turn for what is asked after a person ended one', async () => {
    const { answered } = await connect('2025-11-25', 'memory')
    const result = answered.callTool({ name: 'twice' })
    const { channel } = await person.next()
    expect(await person.endTurn(channel)).toBeUndefined()
    await person.accept(await person.next(), { value: text('two') })
    expect(said(await result)).toEqual(['undefined two'])
  })

  it('asks on a desk elsewhere, by its address', async () => {
    const token = 'a-token-of-this-agent'
    const elsewhere = createDesk({ servers: { agent: token } })
    const { url, socketUrl } = await elsewhere.listen()
    const there = await Person.at(socketUrl)
    const client = createClient('2026-07-28')
    clients.push(client)
    const answered = answerWith(url.replace('//', `//agent:${token}@`), client)
    await client.connect(await ways.memory(server))
    const result = answered.callTool({ name: 'greet', arguments: { in: 'lobby' } })
    const ask = await there.next()
    expect(ask).toMatchObject({ server: 'agent', title: 'shop', request: { _meta: { 'beckon/tool': 'greet' } } })
    await there.accept(ask, { name: text('Ada'), role: { kind: 'selected', value: 'owner' } })
    expect(said(await result)).toEqual(['lobby: {"action":"accept","content":{"name":"Ada","role":"owner"}}'])
    there.close()
    await elsewhere.close()
  })

  it('asks on the terms that it is given', async () => {
    const { answered } = await connect('2026-07-28', 'memory', { terms: { timeoutMs: 30 } })
    expect(said(await answered.callTool({ name: 'greet', arguments: { in: 'a' } }))[0]).toContain('"cancel"')
  })

  it('cancels, and tells the log, when the desk cannot be asked', async () => {
    const client = createClient('2025-11-25')
    clients.push(client)
    const broken = { open: () => Promise.reject(new Error('The store is gone.')) }
    const answered = answerWith(broken, client, { log: problem => problems.push(problem) })
    await client.connect(await ways.memory(server))
    expect(said(await answered.callTool({ name: 'remove' }))).toEqual(['Kept.'])
    expect(problems).toEqual([expect.stringContaining('The store is gone.')])
  })

  it('shows the asks of a connection together, or those of a call that is named', async () => {
    const { client, answered } = await connect('2025-11-25', 'memory')
    const first = answered.callTool({ name: 'remove' })
    await person.accept(await person.next())
    await first
    await client.close()
    await client.connect(await ways.memory(server))
    const second = answered.callTool({ name: 'remove' })
    await person.accept(await person.next())
    await second
    expect(person.sessions).toHaveLength(2)
    const named = await connect('2025-11-25', 'memory', { call: 'mine' })
    const third = named.answered.callTool({ name: 'remove' })
    const ask = await person.next()
    expect(ask.channel).toBe('ahp-session:/call-mine')
    await person.accept(ask)
    await third
  })

  it('withdraws what is open, and answers no more, once it is closed', async () => {
    const { answered } = await connect('2025-11-25', 'memory')
    const result = answered.callTool({ name: 'remove' })
    result.catch(() => {})
    const ask = await person.next()
    answered.close()
    await person.gone(ask)
    await expect(result).rejects.toThrow()
    expect(person.open).toEqual([])
  })

  it('says what to do for a connected client that does not elicit', async () => {
    const client = createClient('2025-11-25')
    clients.push(client)
    await client.connect(await ways.memory(server))
    expect(() => answerWith(desk, client)).toThrow('Declare it, or call answerWith before connecting')
  })
})

// Each that was ever used is handed to every promise of the process, on Node 20.
it('uses one asynchronous context, however many connections there are', async () => {
  const run = vi.spyOn(AsyncLocalStorage.prototype, 'run')
  for (let index = 0; index < 3; index++) {
    const { answered } = await connect('2025-11-25', 'memory')
    expect(said(await answered.callTool({ name: 'quiet' }))).toEqual(['Nothing to ask.'])
  }
  expect(run.mock.contexts.length).toBeGreaterThanOrEqual(3)
  expect(new Set(run.mock.contexts).size).toBe(1)
})
