import type { ElicitResult } from '@modelcontextprotocol/client'
import { McpServer, UrlElicitationRequiredError } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Answer, closeAll, connect, serve } from '../../test/sdk-serving.js'
import { deferred } from '../runtime/deferred.js'
import { memoryStore } from '../store/memory-store.js'
import { type AskingHandler, asks } from './asks.js'
import { completeElicitation } from './complete-elicitation.js'
import type { AsksOptions } from './options.js'

afterEach(closeAll)

type Handler = AskingHandler<[{ beckon?: unknown; env?: string | undefined }]>

function serveTool(handler: Handler, options: (server: McpServer) => AsksOptions = () => ({})) {
  return serve(() => {
    const server = new McpServer({ name: 'shop', version: '1.0.0' })
    const inputSchema = z.object({ env: z.string().optional(), beckon: z.unknown().optional() })
    server.registerTool('tool', { inputSchema }, asks(handler, options(server)))
    return server
  }, 'memory')
}

const toppings: Handler = async (_args, ctx) =>
  ctx.json(await ctx.elicit({ question: 'Which?', schema: [['ham', 'olives']] }))

describe('a client on 2025 over stdio', () => {
  async function askToppings(version: string, options: (server: McpServer) => AsksOptions, url = false) {
    const forms: unknown[] = []
    const answer: Answer = params => {
      const properties = 'requestedSchema' in params ? params.requestedSchema.properties : {}
      forms.push(Object.values(properties).map(({ type }) => type))
      const isLowered = Object.keys(properties).length > 1
      const content = isLowered
        ? Object.fromEntries(Object.keys(properties).map(key => [key, true]))
        : { value: ['ham'] }
      return { action: 'accept', content } as ElicitResult
    }
    const capabilities = { elicitation: url ? { form: {}, url: {} } : { form: {} } }
    const client = await connect(await serveTool(toppings, options), version, { answer, capabilities })
    const { content } = await client.callTool({ name: 'tool', arguments: {} })
    return { forms, content }
  }

  it('is known in full by the server', async () => {
    const { forms, content } = await askToppings('2025-11-25', server => ({ server }))
    expect(forms).toEqual([['array']])
    expect(content).toMatchObject([{ text: '["ham"]' }])
    const { forms: older } = await askToppings('2025-06-18', server => ({ server: server.server }))
    expect(older).toEqual([['boolean', 'boolean']])
  })

  it('gets a form for the oldest version without it, unless it can open URLs', async () => {
    const { forms, content } = await askToppings('2025-11-25', () => ({}))
    expect(forms).toEqual([['boolean', 'boolean']])
    expect(content).toMatchObject([{ text: '["ham","olives"]' }])
    expect((await askToppings('2025-11-25', () => ({}), true)).forms).toEqual([['array']])
  })

  it('can be asked for its roots where the server is known', async () => {
    const roots: Handler = async (_args, ctx) => ctx.json(await ctx.roots())
    const capabilities = { roots: {} }
    const client = await connect(await serveTool(roots, server => ({ server })), '2025-11-25', { capabilities })
    client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///a' }] }))
    const result = await client.callTool({ name: 'tool', arguments: {} })
    expect(result.content).toMatchObject([{ text: '[{"uri":"file:///a"}]' }])
    const unknown = await connect(await serveTool(roots), '2025-11-25', { capabilities })
    expect(await unknown.callTool({ name: 'tool', arguments: {} })).toMatchObject({ isError: true })
  })

  it('gets the URLs to open first from a handler that throws them', async () => {
    const url = { mode: 'url', message: 'Pay', url: 'https://pay.example', elicitationId: 'p1' } as const
    const client = await connect(
      await serveTool(() => {
        throw new UrlElicitationRequiredError([url])
      }),
      '2025-11-25',
    )
    await expect(client.callTool({ name: 'tool', arguments: {} })).rejects.toMatchObject({ code: -32042 })
  })

  it('has its asks withdrawn when it cancels', async () => {
    const withdrawn = deferred<void>()
    const aborter = new AbortController()
    const client = await connect(
      await serveTool(async (_args, ctx) => String(await ctx.confirm('Sure?'))),
      '2025-11-25',
    )
    client.setRequestHandler('elicitation/create', (_request, { mcpReq }) => {
      mcpReq.signal.addEventListener('abort', () => withdrawn.resolve())
      aborter.abort()
      return new Promise<ElicitResult>(() => {})
    })
    const options = { signal: aborter.signal }
    await expect(client.callTool({ name: 'tool', arguments: {} }, options)).rejects.toThrow()
    await withdrawn.promise
  })
})

describe.each(['2025-11-25', '2026-07-28'])('on %s', version => {
  it('relays what a client cannot ask, and takes the answer that comes back', async () => {
    const handler: Handler = async ({ env }, ctx) =>
      `${env}: ${await ctx.elicit({ question: 'Your name?', schema: String })}`
    const serving = await serveTool(handler, () => ({ name: 'tool', fallback: 'relay' }))
    const client = await connect(serving, version, { capabilities: {} })
    const asked = await client.callTool({ name: 'tool', arguments: { env: 'prod' } })
    const handle = /"handle":"([^"]+)"/.exec(JSON.stringify(asked.content).replaceAll('\\"', '"'))?.[1]
    const beckon = { handle, answer: 'Ada' }
    const done = await client.callTool({ name: 'tool', arguments: { env: 'prod', beckon } })
    expect(done.content).toEqual([{ type: 'text', text: 'prod: Ada' }])
    const again = client.callTool({ name: 'tool', arguments: { env: 'prod', beckon } })
    if (version === '2026-07-28') await expect(again).rejects.toMatchObject({ code: -32602 })
    else await expect(again).resolves.toMatchObject({ isError: true })
  })

  it.each([
    ['its own', false, undefined],
    ['a shared one', true, undefined],
    ['a shared one, and keys', true, 'a key of more than 16 bytes'],
  ])('waits for the flow behind a URL, by the store that it was given: %s', async (_which, shared, keys) => {
    const store = { ...memoryStore(), shared }
    const handler: Handler = async (_args, ctx) => {
      const options = { waitForCompletion: true, elicitationId: `pay-${version}` }
      return (await ctx.elicit.url('Pay', 'https://pay.example', options)).action
    }
    const client = await connect(await serveTool(handler, () => ({ store, ...(keys && { keys }) })), version, {
      capabilities: { elicitation: { url: {} } },
      answer: () => {
        setImmediate(() => completeElicitation(`pay-${version}`, { store, keys }))
        return { action: 'accept' }
      },
    })
    const result = await client.callTool({ name: 'tool', arguments: {} })
    expect(result.content).toEqual([{ type: 'text', text: 'accept' }])
    expect(await completeElicitation('nobody knows it')).toBe(false)
  })

  it('knows the person by the server, and the values of theirs', async () => {
    const handler: Handler = async (_args, ctx) => {
      const visits = ((await ctx.session.get<number>('visits')) ?? 0) + 1
      await ctx.session.set('visits', visits)
      return `${ctx.principal} ${visits}`
    }
    const store = memoryStore()
    const client = await connect(await serveTool(handler, () => ({ store, identify: async () => 'ada' })), version)
    await client.callTool({ name: 'tool', arguments: {} })
    const result = await client.callTool({ name: 'tool', arguments: {} })
    expect(result.content).toEqual([{ type: 'text', text: 'ada 2' }])
  })

  it('tells progress', async () => {
    const client = await connect(
      await serveTool(async (_args, ctx) => {
        ctx.progress(1, 2)
        return 'done'
      }),
      version,
    )
    const seen: number[] = []
    await client.callTool({ name: 'tool', arguments: {} }, { onprogress: ({ progress }) => seen.push(progress) })
    expect(seen).toEqual([1])
  })

  it('refuses a result that is none', async () => {
    const handler = (async () => 7) as unknown as Handler
    const client = await connect(await serveTool(handler), version)
    expect(await client.callTool({ name: 'tool', arguments: {} })).toMatchObject({ isError: true })
  })
})

it('needs a name to relay', () => {
  expect(() => asks(async ctx => ctx.text('a'), { fallback: 'relay' })).toThrow('give asks the name')
})

it('needs keys that are long enough', () => {
  expect(() => asks(async ctx => ctx.text('a'), { keys: 'short' })).toThrow('at least 16 bytes')
})

it('takes answers that nobody asked for by key only, and never where a person has to agree', async () => {
  const handler: Handler = async (_args, ctx) =>
    String(
      await ctx
        .elicit({ question: 'Your name?', schema: z.object({ name: z.string() }), key: 'who' })
        .then(a => a?.name),
    )
  const params = {
    name: 'tool',
    arguments: {},
    inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } },
  }
  const open = await connect(await serveTool(handler), '2026-07-28')
  expect(await open.callTool(params, { allowInputRequired: true })).toMatchObject({ content: [{ text: 'Ada' }] })
  const guarded = await connect(await serveTool(handler, () => ({ annotations: { destructive: true } })), '2026-07-28')
  expect(await guarded.callTool(params, { allowInputRequired: true })).toHaveProperty('inputRequests')
})
