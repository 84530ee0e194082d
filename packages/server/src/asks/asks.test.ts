import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { closeAll, connect, type Over, serve } from '../../test/sdk-serving.js'
import { asks } from './asks.js'

afterEach(closeAll)

const wires = [
  ['2025-06-18', 'memory'],
  ['2025-11-25', 'memory'],
  ['2026-07-28', 'memory'],
  ['2025-11-25', 'http'],
  ['2026-07-28', 'http'],
] as const satisfies [string, Over][]

/** How often handlers were entered. */
const runs: string[] = []

function createShop(): McpServer {
  const server = new McpServer({ name: 'shop', version: '1.0.0' })
  server.registerTool(
    'deploy',
    { inputSchema: z.object({ env: z.string() }) },
    asks(async ({ env }, ctx) => {
      runs.push('deploy')
      if (!(await ctx.confirm(`Deploy to ${env}?`))) return ctx.text('Not deployed.')
      return ctx.text(`Deployed to ${env}.`)
    }),
  )
  server.registerTool(
    'order',
    { outputSchema: z.object({ size: z.string(), name: z.string() }) },
    asks(async ctx => {
      runs.push('order')
      const size = await ctx.elicit({ question: 'Which size?', schema: ['small', 'large'] })
      if (size === null) return ctx.error('Nothing ordered.')
      const who = await ctx.elicit({ question: `Who gets the ${size} one?`, schema: z.object({ name: z.string() }) })
      return who === null ? ctx.error('Nothing ordered.') : ctx.json({ size, ...who })
    }),
  )
  server.registerTool(
    'both',
    {},
    asks(async ctx => {
      runs.push('both')
      const schema = z.object({ answer: z.string() })
      const answers = await Promise.all([
        ctx.elicit({ question: 'First?', schema }),
        ctx.elicit({ question: 'Second?', schema }),
      ])
      return answers.map(answer => answer?.answer).join(' and ')
    }),
  )
  server.registerTool(
    'swallow',
    {},
    asks(async ctx => {
      try {
        return (await ctx.elicit({ question: 'Your name?', schema: String })) ?? 'nobody'
      } catch (error) {
        return `caught ${(error as { kind: string }).kind}`
      }
    }),
  )
  server.registerTool(
    'list',
    { outputSchema: z.array(z.number()) },
    asks(async ctx => ctx.json([1, 2])),
  )
  server.registerTool(
    'fails',
    {},
    asks(() => Promise.reject(new Error('Out of stock.'))),
  )
  server.registerPrompt(
    'brief',
    { argsSchema: z.object({ topic: z.string() }) },
    asks(async ({ topic }, ctx) => {
      const tone = await ctx.elicit({ question: `Which tone for ${topic}?`, schema: ['dry', 'warm'] })
      return `Write about ${topic}, ${tone}.`
    }),
  )
  server.registerResource(
    'report',
    'report://today',
    {},
    asks(async (uri, ctx) => ((await ctx.confirm(`Read ${uri.href}?`)) ? 'All is well.' : 'Kept back.')),
  )
  server.registerResource(
    'note',
    new ResourceTemplate('note://{id}', { list: undefined }),
    {},
    asks(async (_uri, { id }, ctx) => ((await ctx.confirm(`Read ${id}?`)) ? `Note ${id}.` : 'Kept back.')),
  )
  return server
}

describe.each(wires)('asks on %s over %s', (version, over) => {
  const isModern = version === '2026-07-28'
  const asked: string[] = []

  async function shop(answers: Record<string, unknown> | 'decline' | 'cancel') {
    asked.length = 0
    runs.length = 0
    return connect(await serve(createShop, over), version, {
      answer({ message }) {
        asked.push(message)
        if (typeof answers === 'string') return { action: answers }
        return { action: 'accept', content: (answers[message] ?? {}) as Record<string, string> }
      },
    })
  }

  it('confirms', async () => {
    const client = await shop({})
    const result = await client.callTool({ name: 'deploy', arguments: { env: 'prod' } })
    expect(result.content).toEqual([{ type: 'text', text: 'Deployed to prod.' }])
    expect(asked).toEqual(['Deploy to prod?'])
    expect(runs).toEqual(['deploy'])
  })

  it.each(['decline', 'cancel'] as const)('takes a %s', async action => {
    const client = await shop(action)
    const result = await client.callTool({ name: 'deploy', arguments: { env: 'prod' } })
    expect(result.content).toEqual([{ type: 'text', text: 'Not deployed.' }])
    expect(await client.callTool({ name: 'order' })).toMatchObject({ isError: true })
  })

  it('asks two questions in a row, and enters the handler once', async () => {
    const client = await shop({
      'Which size?': { value: 'large' },
      'Who gets the large one?': { name: 'Ada' },
    })
    const result = await client.callTool({ name: 'order' })
    expect(result.structuredContent).toEqual({ size: 'large', name: 'Ada' })
    expect(asked).toEqual(['Which size?', 'Who gets the large one?'])
    expect(runs).toEqual(['order'])
  })

  it('asks two questions at once', async () => {
    const client = await shop({ 'First?': { answer: 'one' }, 'Second?': { answer: 'two' } })
    const result = await client.callTool({ name: 'both' })
    expect(result.content).toEqual([{ type: 'text', text: 'one and two' }])
    expect(runs).toEqual(['both'])
  })

  it('keeps calls apart that wait at the same time', async () => {
    const client = await shop({})
    const envs = Array.from({ length: 20 }, (_, index) => `env-${index}`)
    const results = await Promise.all(envs.map(env => client.callTool({ name: 'deploy', arguments: { env } })))
    expect(results.map(result => result.content)).toEqual(
      envs.map(env => [{ type: 'text', text: `Deployed to ${env}.` }]),
    )
  })

  it('asks in a prompt', async () => {
    const client = await shop({ 'Which tone for tea?': { value: 'warm' } })
    const { messages } = await client.getPrompt({ name: 'brief', arguments: { topic: 'tea' } })
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Write about tea, warm.' } }])
  })

  it('asks in a resource and in a template', async () => {
    const client = await shop({})
    expect((await client.readResource({ uri: 'report://today' })).contents).toEqual([
      { uri: 'report://today', text: 'All is well.' },
    ])
    expect((await client.readResource({ uri: 'note://7' })).contents).toEqual([{ uri: 'note://7', text: 'Note 7.' }])
    expect(asked).toEqual(['Read report://today?', 'Read 7?'])
  })

  it('leaves results and failures to the SDK', async () => {
    const client = await shop({})
    expect((await client.callTool({ name: 'list' })).structuredContent).toEqual(isModern ? [1, 2] : { result: [1, 2] })
    expect(await client.callTool({ name: 'fails' })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Out of stock.' }],
    })
    expect(await client.callTool({ name: 'deploy', arguments: { env: 7 } })).toMatchObject({ isError: true })
  })

  it('never asks a client that did not declare it', async () => {
    const client = await connect(await serve(createShop, over), version, { capabilities: {} })
    const deployed = await client.callTool({ name: 'deploy', arguments: { env: 'prod' } })
    expect(deployed.content).toEqual([{ type: 'text', text: 'Not deployed.' }])
    const swallowed = await client.callTool({ name: 'swallow' })
    expect(swallowed.content).toEqual([{ type: 'text', text: 'caught ElicitationNotAvailable' }])
    const uncaught = client.callTool({ name: 'order' })
    if (isModern)
      await expect(uncaught).rejects.toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { elicitation: { form: {} } } },
      })
    else await expect(uncaught).resolves.toMatchObject({ isError: true })
    await expect(client.getPrompt({ name: 'brief', arguments: { topic: 'tea' } })).rejects.toMatchObject({
      code: isModern ? -32021 : -32603,
    })
  })
})

it('answers a client that cannot ask with HTTP 400', async () => {
  const { url = '' } = await serve(createShop, 'http')
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'order',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'order',
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ id: 1, error: { code: -32021 } })
})
