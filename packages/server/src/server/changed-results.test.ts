// call/call.ts, where a step ends: "What a replay would give, so that a handler sees the same in every run." docs/calls.md: "a journal answering
// every ask and step it already passed." What a handler does to what it was given must not change what the call has learned.
import { describe, expect, it } from 'vitest'
import { deskDouble } from '../../test/desk-double.js'
import { createServer } from '../index.js'
import { memoryStore } from '../store/index.js'
import { createTestClient, createTestClock } from '../test/index.js'
import { mortalStore } from '../test/mortal-store.js'

describe.each([
  ['in memory', () => undefined],
  ['in a store', () => ({ ...memoryStore(), shared: true })],
])('with its journal %s', (_, storeOf) => {
  const serve = () => {
    const store = storeOf()
    return createServer({ name: 'shop', version: '1.0.0', ...(store && { store }) })
  }

  it.each(['when-needed', 'always'] as const)('works through the result of a step, with replay: %s', async replay => {
    const deleted: string[] = []
    const server = serve()
    server.tool('t', {}, async (_input, ctx) => {
      const queue = await ctx.step('list', () => ['a', 'b', 'c'])
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const name = next
        if (await ctx.confirm(`Delete ${name}?`)) await ctx.step(`delete ${name}`, () => void deleted.push(name))
      }
      return 'done'
    })
    const client = createTestClient(server, { wire: 'rounds', replay, answer: [true, true, true] })
    const { content } = await client.callTool('t')
    expect({ content, deleted }).toEqual({ content: [{ type: 'text', text: 'done' }], deleted: ['a', 'b', 'c'] })
  })

  it.each(['when-needed', 'always'] as const)('works through an answer, with replay: %s', async replay => {
    const deleted: string[] = []
    const server = serve()
    server.tool('t', {}, async (_input, ctx) => {
      const queue = (await ctx.elicit({ question: 'Which?', schema: [['a', 'b', 'c']] })) ?? []
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const name = next
        if (await ctx.confirm(`Delete ${name}?`)) await ctx.step(`delete ${name}`, () => void deleted.push(name))
      }
      return 'done'
    })
    const client = createTestClient(server, { wire: 'rounds', replay, answer: [['a', 'b', 'c'], true, true, true] })
    const { content } = await client.callTool('t')
    expect({ content, deleted }).toEqual({ content: [{ type: 'text', text: 'done' }], deleted: ['a', 'b', 'c'] })
  })
})

it('works through an answer from the desk, when another process goes on', async () => {
  const clock = createTestClock()
  const shared = memoryStore({ clock })
  const desk = deskDouble()
  const deleted: string[] = []
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      await clock.advance(1_000)
      for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
    }
  }
  const createNode = () => {
    const store = mortalStore(shared)
    const server = createServer({ name: 'shop', version: '1', store, clock, desk })
    server.tool('t', {}, async (_input, ctx) => {
      const queue = (await ctx.elicit({ question: 'Which?', schema: [['a', 'b', 'c']] })) ?? []
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const name = next
        if (await ctx.confirm(`Delete ${name}?`)) await ctx.step(`delete ${name}`, () => void deleted.push(name))
      }
      return 'done'
    })
    const options = { wire: 'rounds', principal: 'ana', replay: 'when-needed', capabilities: {} } as const
    return { store, server, client: createTestClient(server, options) }
  }
  const [a, b] = [createNode(), createNode()]
  void a.client.request('tools/call', { name: 't', arguments: {} }).catch(() => {})
  await pass(2_000)
  desk.answer('Which?', { action: 'accept', content: { value: ['a', 'b', 'c'] } })
  await pass(2_000)
  expect(desk.messages()).toEqual(['Delete a?'])
  a.store.die()
  void b.client.request('tools/call', { name: 't', arguments: {} }).catch(() => {})
  await pass(60_000)
  for (const name of ['a', 'b', 'c']) {
    if (desk.messages().includes(`Delete ${name}?`)) desk.answer(`Delete ${name}?`, { action: 'accept', content: {} })
    await pass(2_000)
  }
  expect(deleted).toEqual(['a', 'b', 'c'])
  await b.server.close()
})
