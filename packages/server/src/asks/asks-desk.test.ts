// Handlers in `asks` with a desk: what a server of ours does for a client that cannot ask, on a server of the official SDK.
import { McpServer } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type DeskOutcome, deskDouble } from '../../test/desk-double.js'
import { closeAll, connect, type Over, serve } from '../../test/sdk-serving.js'
import type { Middleware } from '../author/middleware.js'
import { credentials } from '../middleware/credentials/credentials.js'
import { memoryStore } from '../store/memory-store.js'
import { createTestClock } from '../test/index.js'
import { mortalStore } from '../test/mortal-store.js'
import { type AskingHandler, asks } from './asks.js'
import type { AsksOptions } from './options.js'

afterEach(closeAll)

type Handler = AskingHandler<[{ env?: string | undefined; beckon?: unknown }]>

const deploy: Handler = async ({ env }, ctx) => {
  if (!(await ctx.confirm(`Deploy to ${env}?`))) return ctx.text('Not deployed.')
  return ctx.text(`Deployed to ${env}, ${await ctx.elicit({ question: 'Why?', schema: String })}.`)
}

function serveDeploy(options: AsksOptions, over: Over = 'memory', handler = deploy) {
  return serve(() => {
    const server = new McpServer({ name: 'deploys', version: '1.0.0' })
    const inputSchema = z.object({ env: z.string().optional(), beckon: z.unknown().optional() })
    server.registerTool('deploy', { inputSchema }, asks(handler, { name: 'deploy', ...options }))
    return server
  }, over)
}

const accept = (content: object = {}): DeskOutcome => ({ action: 'accept', content: content as never })
const text = (result: object) => (result as { content: { text?: string }[] }).content[0]?.text ?? ''
const turn = () => new Promise(resolve => setImmediate(resolve))

describe.each([
  ['2025-11-25', 'memory'],
  ['2026-07-28', 'memory'],
  ['2025-11-25', 'http'],
  ['2026-07-28', 'http'],
] as const)('on %s over %s', (version, over) => {
  it('asks on the desk, tells the model to come back, and gives the result once', async () => {
    const desk = deskDouble()
    const options: AsksOptions = { desk, wait: 0, identify: () => 'ada', info: { name: 'deploys', version: '1.0.0' } }
    const client = await connect(await serveDeploy(options, over), version, { capabilities: {} })
    const call = { name: 'deploy', arguments: { env: 'prod' } }
    expect(text(await client.callTool(call))).toContain('They have not answered yet')
    expect(desk.messages()).toEqual(['Deploy to prod?'])
    desk.answer('Deploy to prod?', accept())
    await expect.poll(() => desk.messages()).toEqual(['Why?'])
    expect(text(await client.callTool(call))).toContain('"Why?"')
    desk.answer('Why?', accept({ value: 'Friday' }))
    await expect.poll(async () => text(await client.callTool(call))).toBe('Deployed to prod, Friday.')
  })

  it('waits on the desk as long as the client lets it', async () => {
    const desk = deskDouble()
    const client = await connect(await serveDeploy({ desk, wait: 'hold', identify: () => 'ada' }, over), version, {
      capabilities: {},
    })
    const result = client.callTool({ name: 'deploy', arguments: { env: 'test' } })
    await expect.poll(() => desk.messages()).toEqual(['Deploy to test?'])
    desk.answer('Deploy to test?', accept())
    await expect.poll(() => desk.messages()).toEqual(['Why?'])
    desk.answer('Why?', accept({ value: 'Friday' }))
    expect(text(await result)).toBe('Deployed to test, Friday.')
  })
})

it('gives an anonymous caller a handle to bring back', async () => {
  const desk = deskDouble()
  const handler: Handler = async (_args, ctx) => `${await ctx.confirm('Sure?')}`
  const client = await connect(await serveDeploy({ desk, wait: 0 }, 'memory', handler), '2026-07-28', {
    capabilities: {},
  })
  const first = text(await client.callTool({ name: 'deploy', arguments: {} }))
  const handle = /"handle":"([^"]+)"/.exec(first)?.[1]
  desk.answer('Sure?', accept())
  const again = { name: 'deploy', arguments: { beckon: { handle } } }
  await expect.poll(async () => text(await client.callTool(again))).toBe('true')
})

it('gives a client that takes tasks the waiting result, since nobody answers tasks/get', async () => {
  const desk = deskDouble()
  const client = await connect(await serveDeploy({ desk, wait: 0, identify: () => 'ada' }), '2026-07-28', {
    capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  })
  const result = await client.callTool({ name: 'deploy', arguments: { env: 'prod' } })
  expect(text(result)).toContain('They have not answered yet')
})

it('waits with an error for a tool with an output schema, which the SDK lets pass', async () => {
  const desk = deskDouble()
  const outputSchema = z.object({ ok: z.boolean() })
  const serving = await serve(() => {
    const server = new McpServer({ name: 'deploys', version: '1.0.0' })
    const options = { name: 'deploy', desk, wait: 0, identify: () => 'ada', output: outputSchema } as const
    const handler = asks(async ctx => ctx.json({ ok: await ctx.confirm('Sure?') }), options)
    server.registerTool('deploy', { outputSchema }, handler)
    return server
  }, 'memory')
  const client = await connect(serving, '2026-07-28', { capabilities: {} })
  expect(await client.callTool({ name: 'deploy' })).toMatchObject({ isError: true })
  desk.answer('Sure?', accept())
  await expect.poll(async () => (await client.callTool({ name: 'deploy' })).structuredContent).toEqual({ ok: true })
})

it('goes on in another process when the one that ran it is gone', async () => {
  const clock = createTestClock()
  const shared = memoryStore({ clock })
  const desk = deskDouble()
  const runs: string[] = []
  const node = async (name: string) => {
    const store = mortalStore(shared)
    const handler: Handler = async ({ env }, ctx) => {
      runs.push(name)
      return `${env} ${await ctx.confirm(`Sure of ${env}?`)}`
    }
    const serving = await serveDeploy({ desk, wait: 0, store, clock, identify: () => 'ada' }, 'memory', handler)
    return { store, client: await connect(serving, '2026-07-28', { capabilities: {} }) }
  }
  const [here, there] = [await node('here'), await node('there')]
  const call = { name: 'deploy', arguments: { env: 'prod' } }
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await clock.advance(1_000)
      for (let nth = 0; nth < 5; nth++) await turn()
    }
  }
  const begun = here.client.callTool(call)
  const other = there.client.callTool({ name: 'deploy', arguments: { env: 'other' } })
  await pass(2)
  expect(text(await begun)).toContain('They have not answered yet')
  await other
  here.store.die()
  await pass(60)
  expect(runs).toEqual(['here', 'there', 'there'])
  desk.answer('Sure of prod?', accept())
  await pass(1)
  const done = there.client.callTool(call)
  await pass(1)
  expect(text(await done)).toBe('prod true')
})

it('has middleware before the handler, and what they add', async () => {
  const signedIn: Middleware<{ user: string }> = (ctx, next) => {
    if (ctx.principal === undefined) return ctx.error('Sign in first.')
    ctx.set('user', ctx.principal)
    return next()
  }
  const serving = (identify: () => string | undefined) =>
    serve(() => {
      const server = new McpServer({ name: 'deploys', version: '1.0.0' })
      server.registerTool(
        'who',
        {},
        asks(ctx => ctx.var.user, { use: [signedIn], identify }),
      )
      return server
    }, 'memory')
  const ada = await connect(await serving(() => 'ada'), '2026-07-28')
  expect(text(await ada.callTool({ name: 'who' }))).toBe('ada')
  const nobody = await connect(await serving(() => undefined), '2026-07-28')
  expect(await nobody.callTool({ name: 'who' })).toMatchObject({ isError: true })
})

describe('options that would ask nobody', () => {
  it('are refused where they are given', () => {
    expect(() => asks(ctx => ctx.text('a'), { fallback: 'desk', name: 'a' })).toThrow('give asks the desk')
    expect(() => asks(ctx => ctx.text('a'), { desk: deskDouble() })).toThrow('give asks the name')
    const login = credentials({ message: 'Sign in', schema: z.object({ password: z.string() }), verify: () => null })
    expect(() => asks(ctx => ctx.text('a'), { use: [login] })).toThrow('createServer()')
  })
})
