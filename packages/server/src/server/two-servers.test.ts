// Two servers that were given the same store, and the same keys: what one of them has is not there for the other.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { deskDouble } from '../../test/desk-double.js'
import { modernCall } from '../../test/raw-http.js'
import { cache } from '../middleware/cache/cache.js'
import { memoryStore, type Store } from '../store/index.js'
import { createTestClient, createTestClock } from '../test/index.js'
import { mortalStore } from '../test/mortal-store.js'
import type { BeckonServer, ServerOptions } from './beckon-server.js'
import { createServer } from './create-server.js'

// A busy machine takes its time.
vi.setConfig({ testTimeout: 60_000 })

const keys = 'one key for two servers'
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function serve(options: Partial<ServerOptions> & { name: string }): BeckonServer {
  const server = createServer({ version: '1', keys, ...options })
  closing.push(() => server.close())
  return server
}

/** One request of 2026-07-28 by Alice. */
async function send(server: BeckonServer, method: string, params: object, capabilities: object) {
  const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities }
  const { name = '' } = params as { name?: string }
  const init = modernCall({ params: { ...params }, meta, headers: { 'mcp-method': method, authorization: 'alice' } })
  const headers = { ...(init.headers as Record<string, string>), 'mcp-name': name }
  const body = String(init.body).replace('"tools/call"', JSON.stringify(method))
  const response = await server.fetch(new Request('http://localhost/mcp', { ...init, headers, body }))
  return response.json()
}

const asking = { elicitation: { form: {}, url: {} } }
const withTasks = { ...asking, extensions: { 'io.modelcontextprotocol/tasks': {} } }
const accept = { action: 'accept', content: {} }

describe.each<[string, () => Store | undefined]>([
  ['stores of their own', () => undefined],
  ['one store', () => memoryStore()],
  ['one store that is shared', () => ({ ...memoryStore(), shared: true })],
])('with %s', (_where, makeStore) => {
  it('takes no state of another server', async () => {
    const store = makeStore()
    const shopLike = (name: string, isKnown: boolean) =>
      serve({ name, store }).tool('pay', {}, async (_input, ctx) => {
        // Such as a gate leaves behind, which a replay does not pass again.
        if (!(await ctx.step('signed in', () => isKnown))) return 'Sign in first.'
        return (await ctx.confirm('Pay?')) ? 'Paid.' : 'Not paid.'
      })
    const shop = shopLike('shop', true)
    const { result } = await send(shop, 'tools/call', { name: 'pay' }, asking)
    const { requestState, inputRequests } = result
    const inputResponses = { [Object.keys(inputRequests)[0] ?? '']: accept }
    const retry = { name: 'pay', requestState, inputResponses }
    expect(await send(shopLike('bank', false), 'tools/call', retry, asking)).toMatchObject({ error: { code: -32602 } })
    const same = shopLike('shop', false)
    expect((await send(same, 'tools/call', retry, asking)).result.content[0].text).toBe('Paid.')
  })
})

describe.each<[string, () => Store]>([
  ['a store', () => memoryStore()],
  ['a shared store', () => ({ ...memoryStore(), shared: true })],
])('in %s', (_where, makeStore) => {
  it('has no task of another server', async () => {
    const store = makeStore()
    const withTool = (name: string) =>
      serve({ name, store }).tool('pay', { task: 'optional' }, async (_input, ctx) =>
        (await ctx.confirm('Pay?')) ? `Paid by ${name}.` : 'Not paid.',
      )
    const [shop, bank] = [withTool('shop'), withTool('bank')]
    const { taskId } = (await send(shop, 'tools/call', { name: 'pay' }, withTasks)).result
    const get = (server: BeckonServer) => send(server, 'tasks/get', { name: taskId, taskId }, withTasks)
    const { inputRequests } = (await get(shop)).result
    const inputResponses = { [Object.keys(inputRequests)[0] ?? '']: accept }
    for (const [method, more] of [
      ['tasks/get', {}],
      ['tasks/update', { inputResponses }],
      ['tasks/cancel', {}],
    ] as const)
      expect(await send(bank, method, { name: taskId, taskId, ...more }, withTasks)).toMatchObject({
        error: { code: -32602, message: 'There is no such task.' },
      })
    await send(shop, 'tasks/update', { name: taskId, taskId, inputResponses }, withTasks)
    expect(await until(() => get(shop), 'completed')).toContain('Paid by shop.')
  })

  it('goes on with no call of another server on the desk', async () => {
    const store = makeStore()
    const desk = deskDouble()
    const withTool = (name: string) =>
      serve({ name, store, desk, wait: 1 }).tool('pay', {}, async (_input, ctx) =>
        (await ctx.confirm(`Pay the ${name}?`)) ? `Paid by ${name}.` : 'Not paid.',
      )
    const [shop, bank] = [withTool('shop'), withTool('bank')]
    const call = (server: BeckonServer) => send(server, 'tools/call', { name: 'pay' }, {})
    await call(shop)
    expect(JSON.stringify(await call(bank))).toContain('Pay the bank?')
    desk.answer('Pay the shop?', { action: 'accept', content: {} })
    expect(await until(() => call(shop), 'Paid')).toContain('Paid by shop.')
    expect(JSON.stringify(await call(bank))).toContain('Pay the bank?')
    expect(desk.messages()).toEqual(['Pay the bank?'])
  })

  it('completes no flow of another server, though the authors chose the same id', async () => {
    const store = makeStore()
    const withTool = (name: string) =>
      serve({ name, store }).tool('pay', {}, async (_input, ctx) => {
        const options = { waitForCompletion: true, elicitationId: 'order-7' }
        const { action } = await ctx.elicit.url('Pay there', 'https://pay.example', options)
        return `${action} at ${name}`
      })
    const [shop, bank, late] = [withTool('shop'), withTool('bank'), withTool('late')]
    const begin = async (server: BeckonServer) => {
      const { requestState, inputRequests } = (await send(server, 'tools/call', { name: 'pay' }, asking)).result
      const inputResponses = { [Object.keys(inputRequests)[0] ?? '']: { action: 'accept' } }
      return { name: 'pay', requestState, inputResponses }
    }
    const [atShop, atBank] = [await begin(shop), await begin(bank)]
    expect(await late.completeElicitation('order-7')).toBe(false)
    expect(await shop.completeElicitation('order-7')).toBe(true)
    expect((await send(shop, 'tools/call', atShop, asking)).result.content[0].text).toBe('accept at shop')
    const waiting = send(bank, 'tools/call', atBank, asking)
    expect(await bank.completeElicitation('order-7')).toBe(true)
    expect((await waiting).result.content[0].text).toBe('accept at bank')
  })

  it('has no page for a link of another server', async () => {
    const store = makeStore()
    const identify = () => 'alice'
    const publicUrl = 'https://tools.example'
    const withTool = (name: string) =>
      serve({ name, store, identify, publicUrl }).tool('pay', {}, async (_input, ctx) => {
        const { action } = await ctx.elicit.url('Pay there', 'https://pay.example')
        return action
      })
    const [shop, bank] = [withTool('shop'), withTool('bank')]
    const { inputRequests } = (await send(shop, 'tools/call', { name: 'pay' }, asking)).result
    const [{ params }] = Object.values(inputRequests) as [{ params: { url: string } }]
    const visit = async (server: BeckonServer) =>
      (await server.fetch(new Request(params.url, { headers: { host: 'tools.example' } }))).status
    expect(await visit(bank)).toBe(404)
    expect(await visit(shop)).toBe(200)
  })

  it('gets nothing from the cache of another server', async () => {
    const store = makeStore()
    const withTool = (name: string) =>
      serve({ name, store }).tool('rate', cache({ ttlMs: 60_000, shared: true }), {}, () => `the rate of the ${name}`)
    for (const name of ['shop', 'bank', 'shop'])
      expect((await send(withTool(name), 'tools/call', { name: 'rate' }, {})).result.content[0].text).toBe(
        `the rate of the ${name}`,
      )
  })

  it('takes no handle of another server', async () => {
    const store = makeStore()
    const withTool = (name: string) =>
      serve({ name, store, fallback: 'relay' }).tool('color', {}, async (_input, ctx) =>
        String(await ctx.elicit({ question: 'Which?', schema: ['red', 'green'] })),
      )
    const [shop, bank] = [withTool('shop'), withTool('bank')]
    const asked = JSON.stringify(await send(shop, 'tools/call', { name: 'color' }, {}))
    const [, handle] = /handle\W+([\w-]{12})/.exec(asked) ?? []
    const answer = { name: 'color', arguments: { beckon: { handle, answer: 'red' } } }
    expect(await send(bank, 'tools/call', answer, {})).toMatchObject({ error: { code: -32602 } })
    expect((await send(shop, 'tools/call', answer, {})).result.content[0].text).toBe('red')
  })
})

it('leaves the calls of a dead server to the others of its name', async () => {
  const clock = createTestClock()
  const shared = memoryStore({ clock })
  const runs: string[] = []
  const node = (name: string, id: string) => {
    const store = mortalStore(shared)
    // One that is dead cannot be closed either.
    const server = createServer({ name, version: '1', keys, store, clock })
    server.tool(name === 'shop' ? 'pay' : 'other', { task: 'optional' }, async (_input, ctx) => {
      runs.push(id)
      return (await ctx.confirm('Pay?')) ? 'Paid.' : 'Not paid.'
    })
    const client = createTestClient(server, { wire: 'tasks', principal: 'alice', replay: 'when-needed' })
    return { store, client, server }
  }
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await clock.advance(1_000)
      for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
    }
  }
  const first = node('shop', 'first')
  const { taskId } = (await first.client.request('tools/call', { name: 'pay', arguments: {} })) as { taskId: string }
  const bank = node('bank', 'bank')
  await bank.client.request('tools/list', {})
  await pass(10)
  first.store.die()
  await pass(120)
  expect(runs).toEqual(['first'])
  const second = node('shop', 'second')
  // By itself, as soon as it has begun.
  await second.client.request('tools/list', {})
  await pass(120)
  expect(runs).toEqual(['first', 'second'])
  const get = () => second.client.request('tasks/get', { taskId })
  const { inputRequests } = (await get()) as unknown as { inputRequests: object }
  const inputResponses = { [Object.keys(inputRequests)[0] ?? '']: accept }
  await second.client.request('tasks/update', { taskId, inputResponses })
  await pass(5)
  expect(await get()).toMatchObject({ status: 'completed', result: { content: [{ text: 'Paid.' }] } })
  await Promise.all([bank.server.close(), second.server.close()])
})

/** What it gives once that has a word in it. */
async function until(look: () => Promise<unknown>, word: string): Promise<string> {
  for (;;) {
    const text = JSON.stringify(await look())
    if (text.includes(word)) return text
    await new Promise(resolve => setImmediate(resolve))
  }
}
