// runner/attempt.ts: "An end that cannot be kept is an error that can: else nobody would ever hear of it." DESIGN.md, 4.2: "Every loop has a bound."
import { expect, it } from 'vitest'
import { deskDouble } from '../../test/desk-double.js'
import { createServer } from '../index.js'
import { memoryStore } from '../store/index.js'
import { createTestClient, createTestClock } from '../test/index.js'

const cycle: Record<string, unknown> = {}
cycle.self = cycle
/** As a row of a database has it that counts in bigints. */
const results: [string, () => unknown][] = [
  ['a bigint in its structured content', () => ({ content: [], structuredContent: { id: 41n } })],
  ['a cycle in its _meta', () => ({ content: [], _meta: cycle })],
  [
    'a cycle in the data of its error',
    () => {
      throw Object.assign(new Error('Refused.'), { code: -32000, data: cycle })
    },
  ],
]

it.each(results)('ends a task whose result has %s', async (_, resultOf) => {
  const clock = createTestClock()
  const plain = memoryStore({ clock })
  const store = { ...plain, shared: true, close: async () => {} }
  const server = createServer({ name: 's', version: '1', store, clock })
  server.tool('t', { task: 'optional' }, async (_input, ctx) => {
    await ctx.confirm('Go on?')
    return resultOf() as never
  })
  const client = createTestClient(server, { wire: 'tasks', replay: 'when-needed' })
  const { taskId } = (await client.request('tools/call', { name: 't', arguments: {} })) as { taskId: string }
  const get = async () => (await client.request('tasks/get', { taskId })) as { status: string; inputRequests?: object }
  const [ask = ''] = Object.keys((await get()).inputRequests ?? {})
  await client.request('tasks/update', { taskId, inputResponses: { [ask]: { action: 'accept', content: {} } } })
  for (let second = 0; second < 120; second++) {
    await clock.advance(1_000)
    for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
  }
  expect((await get()).status).toMatch(/completed|failed/)
  await server.close()
})

it('tells the client of a call whose ask was on the desk, too', async () => {
  const desk = deskDouble()
  const store = { ...memoryStore(), shared: true, close: async () => {} }
  const server = createServer({ name: 's', version: '1', store, desk, wait: 'hold' })
  server.tool('t', {}, async (_input, ctx) => {
    await ctx.confirm('Go on?')
    return { content: [], structuredContent: { id: 41n } } as never
  })
  const client = createTestClient(server, { wire: 'rounds', principal: 'ana', capabilities: {}, replay: 'when-needed' })
  const called = client.callTool('t').then(
    () => 'answered',
    () => 'answered',
  )
  await expect.poll(() => desk.messages(), { timeout: 3_000 }).toEqual(['Go on?'])
  desk.answer('Go on?', { action: 'accept', content: {} })
  const late = new Promise(resolve => setTimeout(resolve, 3_000, 'never'))
  expect(await Promise.race([called, late])).toBe('answered')
  await server.close()
})
