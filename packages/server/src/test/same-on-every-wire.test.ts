import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type BeckonServer, createServer } from '../index.js'
import { createTestClient, type TestClient, type TestClientOptions, type TestWire } from './index.js'
import './vitest.js'

const clients: TestClient[] = []
afterEach(() => Promise.all(clients.splice(0).map(client => client.close())))

function connect(server: BeckonServer, options: TestClientOptions): TestClient {
  const client = createTestClient(server, options)
  clients.push(client)
  return client
}

function shop(): BeckonServer {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  server.tool(
    'order',
    { input: z.object({ item: z.string() }), annotations: { requiresConfirmation: true }, task: 'optional' },
    async ({ item }, ctx) => {
      const [size, colors] = await Promise.all([
        ctx.elicit({ question: 'Which size?', schema: ['s', 'm'], key: 'size' }),
        ctx.elicit({ question: 'Which colors?', schema: [['red', 'green', 'blue']] }),
      ])
      const details = await ctx.elicit.form('Who is it for?', z.object({ name: z.string().min(1), age: z.number() }))
      const page = await ctx.elicit.url('Read the terms.', 'https://shop.example/terms')
      if (!(await ctx.confirm(`Order ${item}?`))) return ctx.text('Nothing ordered.')
      const id = await ctx.step('order', () => 7)
      return ctx.json({ id, size, colors, details, page })
    },
  )
  server.prompt('greet', { args: { who: { required: true } } }, async ({ who }, ctx) => {
    const tone = await ctx.elicit({ question: 'Which tone?', schema: ['kind', 'stern'] })
    return `Greet ${who}, ${tone}.`
  })
  server.resource('notes://{id}', { mimeType: 'text/plain' }, async ({ vars }, ctx) =>
    (await ctx.confirm(`Open note ${vars.id}?`)) ? `note ${vars.id}` : 'closed',
  )
  return server
}

const answers: Record<string, unknown> = {
  'Which size?': 'm',
  'Which colors?': ['red', 'blue'],
  'Who is it for?': { name: 'Ada', age: 36 },
  'Read the terms.': 'accept',
  'Order hat?': true,
}

const answer: TestClientOptions['answer'] = ({ message }) => answers[message] as string

describe.each<TestWire>(['push', 'rounds', 'tasks'])('on %s', wire => {
  it('gives the same result for the same handler', async () => {
    const client = connect(shop(), { wire, answer })
    const result = await client.callTool('order', { item: 'hat' })
    const expected = {
      id: 7,
      size: 'm',
      colors: ['red', 'blue'],
      details: { action: 'accept', content: { name: 'Ada', age: 36 } },
      page: { action: 'accept' },
    }
    expect(result).toEqual({
      content: [{ type: 'text', text: JSON.stringify(expected) }],
      structuredContent: expected,
    })
    expect(client.asked.map(({ kind, message, key, tool }) => ({ kind, message, key, tool }))).toEqual([
      { kind: 'form', message: 'Which size?', key: 'size', tool: 'order' },
      { kind: 'form', message: 'Which colors?', key: undefined, tool: 'order' },
      { kind: 'form', message: 'Who is it for?', key: undefined, tool: 'order' },
      { kind: 'url', message: 'Read the terms.', key: undefined, tool: 'order' },
      { kind: 'confirm', message: 'Order hat?', key: undefined, tool: 'order' },
    ])
    expect(client.asked.at(-1)?.outcome).toEqual({ action: 'accept', content: {} })
  })

  it('takes answers from a queue', async () => {
    const client = connect(shop(), { wire, answer: ['s', [], { name: 'Bob', age: 4 }, true, 'decline'] })
    expect(await client.callTool('order', { item: 'hat' })).toHaveText('Nothing ordered.')
    expect(client).toHaveAskedTimes(5)
    expect(client).toHaveAsked({ message: 'Order hat?', outcome: { action: 'decline' } })
  })

  it('keeps calls that run at once apart', async () => {
    const server = createServer({ name: 's', version: '1' })
    for (const name of ['a', 'b'])
      server.tool(name, { task: 'optional' }, async (_input, ctx) =>
        String(await ctx.elicit({ question: 'x', schema: String })),
      )
    const client = connect(server, { wire, answer: ask => `to ${ask.tool}` })
    const results = await Promise.all([client.callTool('a'), client.callTool('b')])
    expect(results[0]).toHaveText('to a')
    expect(results[1]).toHaveText('to b')
  })

  it('asks in prompts and resources', async () => {
    const client = connect(shop(), { wire, answer: ask => (ask.kind === 'confirm' ? true : 'kind') })
    expect(await client.getPrompt('greet', { who: 'Ada' })).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ada, kind.' } }],
    })
    expect(await client.readResource('notes://7')).toEqual({
      contents: [{ uri: 'notes://7', mimeType: 'text/plain', text: 'note 7' }],
    })
    expect(client).toHaveAsked({ kind: 'confirm', tool: 'notes://7' })
  })

  it('carries sampling and roots', async () => {
    const server = createServer({ name: 's', version: '1' })
    server.tool('both', { task: 'optional' }, async (_input, ctx) => {
      const said = await ctx.sample({
        messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
        maxTokens: 9,
      })
      return ctx.json({ said: said.content, roots: await ctx.roots() })
    })
    const client = connect(server, {
      wire,
      answer: ask => (ask.kind === 'sample' ? `sampled with ${ask.params.maxTokens}` : [{ uri: 'file:///a' }]),
    })
    expect((await client.callTool('both')).structuredContent).toEqual({
      said: { type: 'text', text: 'sampled with 9' },
      roots: [{ uri: 'file:///a' }],
    })
  })

  it('knows the principal, and shows progress and logs', async () => {
    const server = createServer({ name: 's', version: '1' })
    server.tool('who', {}, (_input, ctx) => {
      ctx.progress(1, 2)
      ctx.log('info', 'looked')
      return ctx.text(String(ctx.principal))
    })
    const client = connect(server, { wire, principal: 'ada' })
    expect(await client.callTool('who')).toHaveText('ada')
    const told = client.messages.flatMap(({ from, message }) =>
      from === 'server' && 'method' in message ? message.method : [],
    )
    expect(told).toEqual(['notifications/progress', 'notifications/message'])
  })

  it('cancels a call that waits for an answer', async () => {
    const aborter = new AbortController()
    let handlerSignal: AbortSignal | undefined
    const server = createServer({ name: 's', version: '1' })
    server.tool('wait', { task: 'optional' }, async (_input, ctx) => {
      handlerSignal = ctx.signal
      await ctx.confirm('Go on?')
    })
    const client = connect(server, {
      wire,
      answer() {
        aborter.abort(new Error('enough'))
        return new Promise(() => {})
      },
    })
    await expect(client.callTool('wait', {}, { signal: aborter.signal })).rejects.toThrow('enough')
    // Between rounds no client can cancel.
    if (wire !== 'rounds') await expect.poll(() => handlerSignal?.aborted).toBe(true)
  })

  it('ends with the connection', async () => {
    const server = createServer({ name: 's', version: '1' })
    server.tool('wait', {}, () => new Promise<never>(() => {}))
    const client = connect(server, { wire })
    const call = client.callTool('wait')
    await client.listTools()
    await client.close()
    await expect(call).rejects.toThrow('closed')
    await expect(client.listTools()).rejects.toThrow('closed')
  })
})
