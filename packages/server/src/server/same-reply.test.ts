// R4: "The same answers get the same reply". docs/calls.md: "The same answers sent again get the same reply".
import { expect, it } from 'vitest'
import { callRaw } from '../../test/raw-call.js'
import { createServer } from '../index.js'
import { memoryStore } from '../store/index.js'
import { createTestClient } from '../test/index.js'

it.each([
  ['in memory', false],
  ['in a store', true],
])(
  'gives the same reply again, though what the handler returned has changed since, with its log %s',
  async (_, shared) => {
    const todos: string[] = ['old']
    const store = { ...memoryStore(), shared: true, close: async () => {} }
    const server = createServer({ name: 's', version: '1', ...(shared && { store }) })
    server.tool('add', {}, async (_input, ctx) => {
      if (await ctx.confirm('Add one?')) todos.push('new')
      return ctx.json({ todos })
    })
    const first = await callRaw(server, 'add')
    const { requestState, inputRequests } = first.result
    const answer = {
      requestState,
      inputResponses: { [Object.keys(inputRequests)[0] ?? '']: { action: 'accept', content: {} } },
    }
    const reply = await callRaw(server, 'add', answer)
    expect(reply.result.structuredContent).toEqual({ todos: ['old', 'new'] })
    // Somebody else’s call.
    todos.push('secret')
    expect((await callRaw(server, 'add', answer)).result).toEqual(reply.result)
  },
)

it.each([
  ['in memory', false],
  ['in a store', true],
])('says the same of a task that has ended, with its log %s', async (_, shared) => {
  const todos: string[] = ['old']
  const store = { ...memoryStore(), shared: true, close: async () => {} }
  const server = createServer({ name: 's', version: '1', ...(shared && { store }) })
  server.tool('add', { task: 'optional' }, async (_input, ctx) => {
    if (await ctx.confirm('Add one?')) todos.push('new')
    return ctx.json({ todos })
  })
  const client = createTestClient(server, { wire: 'tasks', replay: 'when-needed' })
  const { taskId } = (await client.request('tools/call', { name: 'add', arguments: {} })) as { taskId: string }
  const get = async () =>
    (await client.request('tasks/get', { taskId })) as { status: string; result?: object; inputRequests?: object }
  const [ask = ''] = Object.keys((await get()).inputRequests ?? {})
  await client.request('tasks/update', { taskId, inputResponses: { [ask]: { action: 'accept', content: {} } } })
  await expect.poll(async () => (await get()).status, { timeout: 3_000 }).toBe('completed')
  const result = structuredClone((await get()).result)
  todos.push('secret')
  expect((await get()).result).toEqual(result)
  await server.close()
})
