// log/events.ts, of what a call's record has: "As the client sent them." docs/calls.md: "replayed: run again from the top". A handler that
// changes its input in place has to find it as it was when another process runs it again.
import { expect, it } from 'vitest'
import { deskDouble } from '../../test/desk-double.js'
import { createServer } from '../index.js'
import { retry } from '../middleware/retry/retry.js'
import { memoryStore } from '../store/index.js'
import { createTestClient, createTestClock } from '../test/index.js'
import { mortalStore } from '../test/mortal-store.js'

const schema = { type: 'object', properties: { invoice: { type: 'object' } }, required: ['invoice'] } as const

it.each([
  ['a task', 'tasks', schema],
  ['a task without a schema', 'tasks', undefined],
  ['a call on the desk', 'desk', schema],
] as const)('is given what the client sent, when %s goes on in another process', async (_, wire, input) => {
  const clock = createTestClock()
  const shared = memoryStore({ clock })
  const desk = deskDouble()
  const paid: unknown[] = []
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      await clock.advance(1_000)
      for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
    }
  }
  const createNode = () => {
    const store = mortalStore(shared)
    const server = createServer({ name: 'shop', version: '1', store, clock, ...(wire === 'desk' && { desk }) })
    server.tool('pay', { task: 'optional', ...(input && { input }) }, async (order, ctx) => {
      const { invoice } = order as { invoice: { euros: number } }
      // To cents, in place.
      invoice.euros *= 100
      if (!(await ctx.confirm({ question: 'Pay the invoice?', timeoutMs: 3_600_000 }))) return 'not paid'
      await ctx.step('pay', () => void paid.push(invoice.euros))
      return 'paid'
    })
    const client = createTestClient(server, {
      wire: wire === 'desk' ? 'rounds' : 'tasks',
      principal: 'ana',
      replay: 'when-needed',
      ...(wire === 'desk' && { capabilities: {} }),
    })
    return { store, server, client }
  }
  const a = createNode()
  const b = createNode()
  const call = { name: 'pay', arguments: { invoice: { euros: 5 } } }
  if (wire === 'tasks') {
    const { taskId } = (await a.client.request('tools/call', structuredClone(call))) as unknown as { taskId: string }
    await pass(1_000)
    a.store.die()
    await pass(60_000)
    const { inputRequests = {} } = (await b.client.request('tasks/get', { taskId })) as { inputRequests?: object }
    const inputResponses = Object.fromEntries(
      Object.keys(inputRequests).map(id => [id, { action: 'accept', content: {} }]),
    )
    await b.client.request('tasks/update', { taskId, inputResponses })
  } else {
    void a.client.request('tools/call', structuredClone(call)).catch(() => {})
    await pass(2_000)
    a.store.die()
    // So that the other one has heard that the node was there.
    await b.client.request('tools/list', {})
    void b.client.request('tools/call', structuredClone(call)).catch(() => {})
    await pass(60_000)
    desk.answer('Pay the invoice?', { action: 'accept', content: {} })
  }
  await pass(60_000)
  expect(paid).toEqual([500])
  await b.server.close()
})

// middleware/retry: "The run goes back to where the handler began, as in a replay".
it('is given what the client sent when it is retried', async () => {
  const paid: number[] = []
  const server = createServer({ name: 'shop', version: '1' })
  server.tool('pay', { input: schema, use: [retry({ delayMs: 0 })] }, async (order, _ctx) => {
    const { invoice } = order as { invoice: { euros: number } }
    invoice.euros *= 100
    paid.push(invoice.euros)
    if (paid.length === 1) throw new Error('The bank is away for a moment.')
    return 'paid'
  })
  await createTestClient(server).callTool('pay', { invoice: { euros: 5 } })
  expect(paid).toEqual([500, 500])
})
