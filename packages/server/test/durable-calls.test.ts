// Calls that go on by themselves, on several processes with one store. A process dies by no longer reaching the store.
import { describe, expect, it, vi } from 'vitest'
import { createServer } from '../src/index.js'
import { memoryStore, StoreUnavailableError } from '../src/store/index.js'
import { createTestClient, createTestClock } from '../src/test/index.js'
import { mortalStore } from '../src/test/mortal-store.js'
import { type DeskOutcome, deskDouble } from './desk-double.js'

const hourMs = 60 * 60 * 1000

function createCluster({ withDesk = false } = {}) {
  const clock = createTestClock()
  const shared = memoryStore({ clock })
  const desk = deskDouble()
  const effects: string[] = []
  const runs: string[] = []
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      await clock.advance(Math.min(left, 1_000))
      for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
    }
  }
  const createNode = (name: string) => {
    const store = mortalStore(shared)
    const server = createServer({ name: 'shop', version: '1', store, clock, ...(withDesk && { desk }) })
    server.tool('order', { task: 'optional', annotations: { destructive: true } }, async (_, ctx) => {
      runs.push(name)
      const color = await ctx.elicit({ question: 'Which color?', schema: ['red', 'green'], timeoutMs: hourMs })
      await ctx.step('pay', ({ id }) => effects.push(`paid ${id.length > 0}`))
      return ctx.text(`${color} ${await ctx.confirm('Sure?')}`)
    })
    const client = createTestClient(server, {
      wire: withDesk ? 'rounds' : 'tasks',
      principal: 'ana',
      replay: 'when-needed',
      ...(withDesk && { capabilities: {} }),
    })
    return { store, server, client }
  }
  return { clock, pass, createNode, effects, runs, desk }
}

type Task = { taskId: string; status: string; inputRequests?: Record<string, object>; result?: object }

describe('a task', () => {
  it('is seen, answered and ended on any node, while one of them runs it', async () => {
    const { createNode, pass, effects, runs } = createCluster()
    const a = createNode('a')
    const b = createNode('b')
    const { taskId } = (await a.client.request('tools/call', { name: 'order', arguments: {} })) as unknown as Task
    const get = async (node: typeof a) => (await node.client.request('tasks/get', { taskId })) as unknown as Task
    const answer = async (node: typeof a, content: object) => {
      const ids = Object.keys((await get(node)).inputRequests ?? {})
      const inputResponses = Object.fromEntries(ids.map(id => [id, { action: 'accept', content }]))
      await node.client.request('tasks/update', { taskId, inputResponses })
      await pass(1_000)
    }
    expect(await get(b)).toMatchObject({ status: 'input_required' })
    await answer(b, { value: 'green' })
    expect(effects).toEqual(['paid true'])
    await answer(a, {})
    for (const node of [a, b])
      expect(await get(node)).toMatchObject({ status: 'completed', result: { content: [{ text: 'green true' }] } })
    expect(runs).toEqual(['a'])
    await Promise.all([a.server.close(), b.server.close()])
  })

  it('asks for nothing that was answered on another node, also when nobody heard of that', async () => {
    const { createNode, pass } = createCluster()
    const a = createNode('a')
    const b = createNode('b')
    const start = async (node: typeof a) =>
      (await node.client.request('tools/call', { name: 'order', arguments: {} })) as unknown as Task
    await start(b)
    const { taskId } = await start(a)
    await pass(1_000)
    const get = async (node: typeof a) => (await node.client.request('tasks/get', { taskId })) as unknown as Task
    const [id = ''] = Object.keys((await get(a)).inputRequests ?? {})
    b.store.publish = async () => {}
    const inputResponses = { [id]: { action: 'accept', content: { value: 'red' } } }
    await b.client.request('tasks/update', { taskId, inputResponses })
    expect(Object.keys((await get(a)).inputRequests ?? {})).not.toContain(id)
    await Promise.all([a.server.close(), b.server.close()])
  })

  it('begins when the store is back that could not be subscribed to before', async () => {
    const { createNode } = createCluster()
    const { store, client, server } = createNode('a')
    const subscribe = store.subscribe.bind(store)
    let failures = 0
    vi.spyOn(store, 'subscribe').mockImplementation(async (topic, listener) => {
      if (topic.includes('/node/') && failures++ === 0) throw new StoreUnavailableError('The store', undefined)
      return subscribe(topic, listener)
    })
    const call = () => client.request('tools/call', { name: 'order', arguments: {} })
    await expect(call()).rejects.toThrow()
    expect(await call()).toMatchObject({ taskId: expect.any(String) })
    await server.close()
  })

  it('takes the first of two answers that come at once on two nodes', async () => {
    const { createNode, pass } = createCluster()
    const a = createNode('a')
    const b = createNode('b')
    const { taskId } = (await a.client.request('tools/call', { name: 'order', arguments: {} })) as unknown as Task
    const [id] = Object.keys(((await b.client.request('tasks/get', { taskId })) as unknown as Task).inputRequests ?? {})
    const update = (node: typeof a, value: string) =>
      node.client.request('tasks/update', {
        taskId,
        inputResponses: { [`${id}`]: { action: 'accept', content: { value } } },
      })
    await Promise.all([update(b, 'red'), update(a, 'green'), update(b, 'green')])
    await pass(1_000)
    const { inputRequests = {} } = (await a.client.request('tasks/get', { taskId })) as unknown as Task
    expect(Object.keys(inputRequests)).toHaveLength(1)
    await a.client.request('tasks/update', {
      taskId,
      inputResponses: { [`${Object.keys(inputRequests)[0]}`]: { action: 'decline' } },
    })
    await pass(1_000)
    expect(await b.client.request('tasks/get', { taskId })).toMatchObject({
      result: { content: [{ text: expect.stringMatching(/^(red|green) false$/) }] },
    })
  })

  it.each(['before its answer', 'after its answer', 'with nobody to ask for it'])(
    'goes on when its process died %s, and recorded steps do not run again',
    async when => {
      const { createNode, pass, effects, runs } = createCluster()
      const a = createNode('a')
      const b = createNode('b')
      const { taskId } = (await a.client.request('tools/call', { name: 'order', arguments: {} })) as unknown as Task
      // Whoever has a task of its own watches over the others.
      await b.client.request('tools/call', { name: 'order', arguments: {} })
      const get = async () => (await b.client.request('tasks/get', { taskId })) as unknown as Task
      const answer = async (content: object) => {
        const ids = Object.keys((await get()).inputRequests ?? {})
        const inputResponses = Object.fromEntries(ids.map(id => [id, { action: 'accept', content }]))
        await b.client.request('tasks/update', { taskId, inputResponses })
        await pass(1_000)
      }
      if (when === 'before its answer') {
        a.store.die()
        await pass(20_000)
        await answer({ value: 'red' })
      } else {
        await answer({ value: 'red' })
        expect(effects).toHaveLength(1)
        a.store.die()
        await pass(when === 'after its answer' ? 20_000 : 60_000)
      }
      if (when === 'with nobody to ask for it') expect(runs).toEqual(['a', 'b', 'b'])
      for (let i = 0; i < 3 && (await get()).status !== 'input_required'; i++) await pass(20_000)
      await answer({})
      expect(await get()).toMatchObject({ status: 'completed', result: { content: [{ text: 'red true' }] } })
      expect(effects).toEqual(['paid true'])
    },
  )

  it('is run by the node that took it over, also when the store did not get to say so', async () => {
    const { createNode, pass, effects } = createCluster()
    const a = createNode('a')
    const b = createNode('b')
    const c = createNode('c')
    const { taskId } = (await a.client.request('tools/call', { name: 'order', arguments: {} })) as unknown as Task
    const get = async (node: typeof a) => (await node.client.request('tasks/get', { taskId })) as unknown as Task
    const [id] = Object.keys((await get(b)).inputRequests ?? {})
    await get(c)
    a.store.die()
    const inputResponses = { [`${id}`]: { action: 'accept', content: { value: 'red' } } }
    await c.client.request('tasks/update', { taskId, inputResponses })
    const append = b.store.append.bind(b.store)
    let lost = 0
    vi.spyOn(b.store, 'append').mockImplementation(async (...line) => {
      const written = await append(...line)
      if (lost++ === 0) throw new StoreUnavailableError('The store', undefined)
      return written
    })
    // From here on nobody asks this node for it.
    await pass(60_000)
    expect(lost).toBeGreaterThan(0)
    expect(effects).toEqual(['paid true'])
    expect(await get(c)).toMatchObject({ status: 'input_required' })
  })

  it('is left to the others by a process that was only slow', async () => {
    const { createNode, pass, effects } = createCluster()
    const a = createNode('a')
    const b = createNode('b')
    const { taskId } = (await a.client.request('tools/call', { name: 'order', arguments: {} })) as unknown as Task
    await b.client.request('tools/call', { name: 'order', arguments: {} })
    a.store.isAway = true
    await pass(60_000)
    a.store.isAway = false
    const ids = Object.keys(((await a.client.request('tasks/get', { taskId })) as unknown as Task).inputRequests ?? {})
    const inputResponses = { [`${ids[0]}`]: { action: 'accept', content: { value: 'red' } } }
    await a.client.request('tasks/update', { taskId, inputResponses })
    await pass(2_000)
    expect(effects).toEqual(['paid true'])
  })

  it('is cancelled from any node', async () => {
    const { createNode, pass } = createCluster()
    const a = createNode('a')
    const b = createNode('b')
    const { taskId } = (await a.client.request('tools/call', { name: 'order', arguments: {} })) as unknown as Task
    await b.client.request('tasks/cancel', { taskId })
    await pass(1_000)
    for (const node of [a, b])
      expect(await node.client.request('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' })
  })

  it('keeps the expiry of its ask over a takeover', async () => {
    const { createNode, pass, clock } = createCluster()
    const a = createNode('a')
    const b = createNode('b')
    const { taskId } = (await a.client.request('tools/call', { name: 'order', arguments: {} })) as unknown as Task
    await clock.advance(hourMs - 10 * 60_000)
    a.store.die()
    await b.client.request('tasks/get', { taskId })
    await pass(20_000)
    await b.client.request('tasks/get', { taskId })
    await pass(5_000)
    await clock.advance(10 * 60_000)
    await pass(5_000)
    expect(await b.client.request('tasks/get', { taskId })).toMatchObject({ status: 'completed' })
  })
})

describe('a call on the desk', () => {
  it('goes on by itself in a process that was only started, when its own died', async () => {
    const { createNode, pass, desk, runs, effects } = createCluster({ withDesk: true })
    const a = createNode('a')
    const first = a.client.callTool('order', {}, { allowUnconfirmed: true })
    await pass(21_000)
    await first
    a.store.die()
    // Its client is connected, and calls nothing.
    createNode('b')
    desk.answer('Which color?', accept({ value: 'red' }))
    await pass(40_000)
    expect([runs, effects]).toEqual([['a', 'b'], ['paid true']])
    expect(desk.messages()).toEqual(['Sure?'])
  })

  it('is continued on another node when its process died, and its ask is not put twice', async () => {
    const { createNode, pass, desk, effects, runs } = createCluster({ withDesk: true })
    const a = createNode('a')
    const b = createNode('b')
    const first = a.client.callTool('order', {}, { allowUnconfirmed: true })
    await pass(21_000)
    expect((await first).content[0]?.text).toContain('Which color?')
    a.store.die()
    const second = b.client.callTool('order', {}, { allowUnconfirmed: true })
    // The other one is dead once it was silent for a lease.
    await pass(16_000)
    expect(desk.messages()).toEqual(['Which color?'])
    desk.answer('Which color?', accept({ value: 'red' }))
    await pass(1_000)
    expect(desk.messages()).toEqual(['Sure?'])
    desk.answer('Sure?', accept({}))
    await pass(2_000)
    expect((await second).content[0]?.text).toBe('red true')
    expect([effects, runs]).toEqual([['paid true'], ['a', 'b']])
    // It was delivered: the same again is a new call.
    void b.client.callTool('order', {}, { allowUnconfirmed: true })
    await pass(1_000)
    expect(runs).toEqual(['a', 'b', 'b'])
  })

  it('is waited for on a node that does not run it', async () => {
    const { createNode, pass, desk, runs } = createCluster({ withDesk: true })
    const a = createNode('a')
    const b = createNode('b')
    void a.client.callTool('order', {}, { allowUnconfirmed: true })
    await pass(1_000)
    const there = b.client.callTool('order', {}, { allowUnconfirmed: true })
    await pass(1_000)
    desk.answer('Which color?', accept({ value: 'green' }))
    await pass(1_000)
    desk.answer('Sure?', { action: 'decline' })
    await pass(2_000)
    expect((await there).content[0]?.text).toBe('green false')
    expect(runs).toEqual(['a'])
  })
})

function accept(content: object): DeskOutcome {
  return { action: 'accept', content: content as never }
}
