import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { deskDouble } from '../../test/desk-double.js'
import { modernCall } from '../../test/raw-http.js'
import { type AskDesk, createServer, type ServerOptions } from '../index.js'
import { bearer } from '../middleware/bearer/bearer.js'
import { memoryStore } from '../store/index.js'
import { createTestClient, createTestClock } from '../test/index.js'

// A busy machine takes its time.
vi.setConfig({ testTimeout: 60_000 })

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const accepted = { action: 'accept', content: {} } as const
const cannotAsk = { 'io.modelcontextprotocol/clientCapabilities': {} }

/** A server with a tool that asks on the desk, for clients of 2026-07-28 that cannot ask. */
async function setUp(options: Partial<ServerOptions> = {}) {
  const desk = deskDouble()
  const server = createServer({ name: 's', version: '1.0.0', desk, wait: 1, ...options })
  closing.push(() => server.close())
  let calls = 0
  server.tool('salaries', {}, async (_input, ctx) => {
    calls += 1
    return (await ctx.confirm('Show them?')) ? 'the salaries' : 'nothing'
  })
  server.tool('gated', bearer({ token: ['of-ann', 'of-bob'] }), {}, async (_input, ctx) =>
    (await ctx.confirm('Show them?')) ? 'the salaries' : 'nothing',
  )
  const { url } = await server.listen({ port: 0 })
  const send = (name: string, headers: Record<string, string>, args: object = {}) =>
    post(url, modernCall({ name, headers, meta: cannotAsk, params: { arguments: args } }))
  return {
    desk,
    server,
    url,
    began: () => calls,
    answer: () => desk.answer('Show them?', accepted),
    call: (headers: Record<string, string> = {}, args?: object) => send('salaries', headers, args),
    gated: (headers: Record<string, string> = {}) => send('gated', headers),
  }
}

/** As `fetch` does it, with any Host header. */
function post(url: string, { headers, body }: RequestInit): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers: headers as Record<string, string> }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve(text))
    })
    request.on('error', reject).end(body)
  })
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(resolve => setImmediate(resolve))
}

/** What the model is told to bring along. */
function handleOf(told: string): { beckon: { handle: string } } {
  const { content } = JSON.parse(told).result
  const [, handle = ''] = /"beckon": \{"handle":"([\w-]{20,})"\}/.exec(content[0].text) ?? []
  expect(handle).not.toBe('')
  return { beckon: { handle } }
}

const ann = { authorization: 'Bearer of-ann' }
const bob = { authorization: 'Bearer of-bob' }
/** What a proxy on this machine adds for someone elsewhere. */
const elsewhere = { 'x-forwarded-for': '203.0.113.7' }

describe('a call on the desk of someone without a principal and a session', () => {
  it('is continued by whoever brings the same credentials', async () => {
    const { answer, gated } = await setUp()
    expect(await gated(ann)).toContain('A person was asked')
    answer()
    expect(await gated(ann)).toContain('the salaries')
  })

  it('is not for those whom a gate would not let through, nor for those with other credentials', async () => {
    const { answer, gated } = await setUp()
    await gated(ann)
    expect(await gated()).toContain('Not authorized')
    expect(await gated({ cookie: 'ann=1' })).toContain('Not authorized')
    answer()
    expect(await gated()).toContain('Not authorized')
    expect(await gated(bob)).toContain('A person was asked')
    expect(await gated(ann)).toContain('the salaries')
  })

  it('is continued by the same arguments on this machine', async () => {
    const { answer, call, began } = await setUp()
    expect(await call()).not.toContain('handle')
    answer()
    expect(await call()).toContain('the salaries')
    expect(began()).toBe(1)
  })
})

describe.each<[string, Record<string, string>, Partial<ServerOptions>]>([
  ['through a proxy', elsewhere, {}],
  ['with a cookie that may be anybody’s', { ...elsewhere, cookie: 'lang=en' }, {}],
  ['of a server with a public address', {}, { publicUrl: 'https://tools.example' }],
  ['under another host name', { host: 'tools.example' }, { allowedHosts: ['tools.example'] }],
])('a call on the desk of someone whom nothing tells apart, %s', (_where, headers, options) => {
  it('is for nobody who only calls with the same arguments', async () => {
    const { answer, call, desk } = await setUp(options)
    const told = await call(headers)
    answer()
    expect(await call(headers)).toContain('A person was asked')
    expect(desk.messages()).toEqual(['Show them?'])
    expect(await call(headers, handleOf(told))).toContain('the salaries')
  })

  it('is continued with its handle until its result was delivered once', async () => {
    const { answer, call, began } = await setUp(options)
    const handle = handleOf(await call(headers))
    expect(handleOf(await call(headers, handle))).toEqual(handle)
    answer()
    expect(await call(headers, handle)).toContain('the salaries')
    expect(began()).toBe(1)
    const next = await call(headers, handle)
    expect(next).toContain('A person was asked')
    expect(handleOf(next)).not.toEqual(handle)
  })

  it('lets nobody choose the handle that someone else would be given', async () => {
    const { answer, call } = await setUp(options)
    const chosen = { beckon: { handle: 'chosen-by-someone-else' } }
    const handle = handleOf(await call(headers, chosen))
    expect(handle).not.toEqual(chosen)
    answer()
    expect(await call(headers, chosen)).toContain('A person was asked')
    expect(await call(headers, handle)).toContain('the salaries')
  })

  it('takes its handle for the same arguments and the same tool only', async () => {
    const { answer, call } = await setUp(options)
    const handle = handleOf(await call(headers))
    answer()
    expect(await call(headers, { ...handle, of: 'the board' })).toContain('A person was asked')
    expect(await call({ ...headers, cookie: 'other=1' }, handle)).toContain('A person was asked')
    expect(await call(headers, handle)).toContain('the salaries')
  })

  it('lists the argument that the handle is brought back in', async () => {
    const { server, url } = await setUp(options)
    const list = async (more: Record<string, string>) => {
      const init = modernCall({ headers: { 'mcp-method': 'tools/list', ...more }, meta: cannotAsk })
      const { 'mcp-name': _, ...sent } = init.headers as Record<string, string>
      const body = String(init.body).replace('"tools/call"', '"tools/list"').replace('"name":"hello",', '')
      return post(url, { headers: sent, body })
    }
    expect(await list(headers)).toContain('"beckon"')
    expect(await list({ ...headers, ...ann })).not.toContain('"beckon"')
    await server.close()
  })
})

it('is withdrawn with its client, where nobody was told of it who could ask again', async () => {
  const { desk, url } = await setUp({ wait: 'hold' })
  const { headers, body } = modernCall({ name: 'salaries', headers: elsewhere, meta: cannotAsk })
  const request = httpRequest(url, { method: 'POST', headers: headers as Record<string, string> })
  request.on('error', () => {}).end(body)
  await until(() => desk.messages().length === 1)
  request.destroy()
  await until(() => desk.messages().length === 0)
})

it('is continued with its handle on another node', async () => {
  const store = memoryStore()
  const shared = { ...store, shared: true, close: async () => {} }
  const desk = deskDouble()
  const [one, other] = [await setUp({ store: shared, desk }), await setUp({ store: shared, desk })]
  const handle = handleOf(await one.call(elsewhere))
  desk.answer('Show them?', accepted)
  // As a model does, until the other node has written the end down.
  while (!(await other.call(elsewhere, handle)).includes('the salaries'));
  expect(one.began() + other.began()).toBe(1)
})

it('ends as its handler says where the desk takes no ask, however late it says so', async () => {
  const clock = createTestClock()
  let refuse: ((error: Error) => void) | undefined
  const desk: AskDesk = {
    open: () =>
      new Promise((_resolve, reject) => {
        refuse = reject
      }),
  }
  const server = createServer({ name: 's', version: '1.0.0', desk, wait: 1_000, clock })
  closing.push(() => server.close())
  server.tool('salaries', {}, async (_input, ctx) => ((await ctx.confirm('Show them?')) ? 'the salaries' : 'nothing'))
  const client = createTestClient(server, { capabilities: {}, clock })
  closing.push(() => client.close())
  const called = client.callTool('salaries')
  while (refuse === undefined) await clock.advance(0)
  // Longer than the request waits by itself, by far.
  for (let seconds = 0; seconds < 10; seconds++) await clock.advance(1_000)
  refuse(new Error('The desk has too many.'))
  const told = called.then(({ content }) => content[0]?.text)
  for (let seconds = 0; seconds < 10; seconds++) await clock.advance(1_000)
  expect(await told).toBe('nothing')
})

describe('a result that a request waited for', () => {
  /** Two servers on one store, of which the first forgets under what a call was found only when it is let. */
  async function setUpTwo() {
    let forget = () => {}
    const kept = new Promise<void>(resolve => (forget = resolve))
    const store = { ...memoryStore(), shared: true }
    const slow = {
      ...store,
      async compareAndSet(...args: Parameters<typeof store.compareAndSet>) {
        if (args[0].includes('repeat/') && args[3]?.expiresAt === 0) await kept
        return store.compareAndSet(...args)
      },
    }
    const desk = deskDouble()
    const options = { desk, wait: 'hold', identify: () => 'ann' } as const
    const [one, other] = [await setUp({ ...options, store: slow }), await setUp({ ...options, store })]
    return { one, other, desk, forget }
  }

  it('is told before it is forgotten under what it was found, and is nobody else’s by then', async () => {
    const { one, other, desk, forget } = await setUpTwo()
    const first = one.call()
    await until(() => desk.messages().length === 1)
    desk.answer('Show them?', accepted)
    expect(await first).toContain('the salaries')
    const second = other.call()
    await until(() => desk.messages().length === 1)
    expect(other.began()).toBe(1)
    desk.answer('Show them?', { action: 'decline' })
    expect(await second).toContain('nothing')
    forget()
  })

  it('is for everyone who waits for it, here and at another process', async () => {
    const { one, other, desk, forget } = await setUpTwo()
    const first = one.call()
    await until(() => desk.messages().length === 1)
    const more = [one.call(), other.call()]
    // They have found it by then: the store answers in the same turn.
    await new Promise(resolve => setTimeout(resolve, 300))
    desk.answer('Show them?', accepted)
    forget()
    for (const told of await Promise.all([first, ...more])) expect(told).toContain('the salaries')
    expect([one.began(), other.began()]).toEqual([1, 0])
  })

  it('is found by the next request when its client went away before', async () => {
    const { one, other, desk, forget } = await setUpTwo()
    const { headers, body } = modernCall({ name: 'salaries', meta: cannotAsk, params: { arguments: {} } })
    const request = httpRequest(one.url, { method: 'POST', headers: headers as Record<string, string> })
    request.on('error', () => {}).end(body)
    await until(() => desk.messages().length === 1)
    request.destroy()
    await new Promise(resolve => setTimeout(resolve, 300))
    desk.answer('Show them?', accepted)
    forget()
    expect(await other.call()).toContain('the salaries')
    expect([one.began(), other.began()]).toEqual([1, 0])
  })

  it('is kept for the next request when it came while this one was about to be told where to answer', async () => {
    const double = deskDouble()
    let open = () => {}
    const opened = new Promise<void>(resolve => (open = resolve))
    const desk: AskDesk = {
      ...double,
      async open(subject, request, options) {
        if (request.message === 'Slow?') await opened
        return double.open(subject, request, options)
      },
    }
    const { server, url } = await setUp({ desk, wait: 50, identify: () => 'ann' })
    let began = 0
    server.tool('either', {}, async (_input, ctx) => {
      began += 1
      return (await Promise.race([ctx.confirm('Slow?'), ctx.confirm('Quick?')])) ? 'the salaries' : 'nothing'
    })
    const call = () => post(url, modernCall({ name: 'either', meta: cannotAsk, params: { arguments: {} } }))
    const first = call()
    await until(() => double.messages().includes('Quick?'))
    // By then it has waited for long enough, and the desk has not said where.
    await new Promise(resolve => setTimeout(resolve, 300))
    double.answer('Quick?', accepted)
    await new Promise(resolve => setTimeout(resolve, 300))
    open()
    expect(`${await first} ${await call()}`).toContain('the salaries')
    expect(began).toBe(1)
  })

  it('is told also where the run was let go while its end was on its way', async () => {
    let tell = () => {}
    const told = new Promise<void>(resolve => (tell = resolve))
    let isEnding = false
    let isStored = false
    const memory = { ...memoryStore(), shared: true }
    const store = {
      ...memory,
      async append(...args: Parameters<typeof memory.append>) {
        const at = await memory.append(...args)
        if (isEnding && args[0].includes('call/')) {
          isEnding = false
          isStored = true
          await told
        }
        return at
      },
    }
    const { call, desk, began } = await setUp({
      store,
      wait: 'hold',
      identify: () => 'ann',
      limits: { suspended: 1 },
    })
    const first = call()
    await until(() => desk.messages().length === 1)
    isEnding = true
    desk.answer('Show them?', accepted)
    await until(() => isStored)
    // There is room for one.
    const second = call({}, { of: 'others' })
    await until(() => desk.messages().length === 1)
    await new Promise(resolve => setTimeout(resolve, 200))
    tell()
    expect(await first).toContain('the salaries')
    expect(began()).toBe(2)
    desk.answer('Show them?', accepted)
    await second
  })
})
