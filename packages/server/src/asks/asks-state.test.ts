import type { Client } from '@modelcontextprotocol/client'
import { createRequestStateCodec, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { closeAll, connect, type Factory, type Over, serve } from '../../test/sdk-serving.js'
import { asks } from './asks.js'
import type { AsksOptions } from './options.js'

afterEach(closeAll)

interface Open {
  inputRequests: Record<string, { params: { message: string } }>
  requestState: string
}

/** One round by hand. */
function call(client: Client, name: string, args: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const params = { name, arguments: args, ...more }
  return client.callTool(params, { allowInputRequired: true }) as unknown as Promise<Open>
}

function accept({ inputRequests, requestState }: Open, content: Record<string, unknown> = {}) {
  const inputResponses = Object.fromEntries(Object.keys(inputRequests).map(key => [key, { action: 'accept', content }]))
  return { inputResponses, requestState }
}

const rejected = { code: -32602, message: expect.stringContaining('The request state was rejected') }

const runs: string[] = []

function deployWith(options: AsksOptions, use = asks): Factory {
  return () => {
    const server = new McpServer({ name: 'shop', version: '1.0.0' })
    const inputSchema = z.object({
      env: z.string(),
      tags: z
        .array(z.string())
        .transform(tags => new Set(tags))
        .optional(),
    })
    server.registerTool(
      'deploy',
      { inputSchema },
      use(async ({ env }, ctx) => {
        runs.push(env)
        const reason = await ctx.elicit({ question: 'Why?', schema: z.object({ why: z.string() }) })
        const ticket = await ctx.step('ticket', () => runs.push('ticket'))
        return (await ctx.confirm(`Deploy to ${env}?`)) ? `${env}, ${reason?.why}, ${ticket}` : 'Not deployed.'
      }, options),
    )
    for (const name of ['left', 'right']) {
      server.registerTool(
        name,
        { inputSchema: z.object({}) },
        use(async (_args, ctx) => ((await ctx.confirm('Sure?')) ? name : 'no')),
      )
    }
    return server
  }
}

async function modern(factory: Factory, over: Over = 'memory') {
  return connect(await serve(factory, over), '2026-07-28')
}

describe.each(['memory', 'http'] as const)('a state over %s', over => {
  it('continues the handler that waits, and a repeat gets the same reply', async () => {
    runs.length = 0
    const client = await modern(deployWith({}), over)
    const first = await call(client, 'deploy', { env: 'prod' })
    expect(Object.values(first.inputRequests)[0]?.params.message).toBe('Why?')
    const second = await call(client, 'deploy', { env: 'prod' }, accept(first, { why: 'fun' }))
    const third = { content: [{ type: 'text', text: 'prod, fun, 2' }] }
    expect(await call(client, 'deploy', { env: 'prod' }, accept(second))).toMatchObject(third)
    expect(await call(client, 'deploy', { env: 'prod' }, accept(second))).toMatchObject(third)
    expect(runs).toEqual(['prod', 'ticket'])
  })

  it('is refused when it is forged, and nothing runs', async () => {
    const client = await modern(deployWith({}), over)
    const first = await call(client, 'deploy', { env: 'prod' })
    runs.length = 0
    const state = first.requestState
    const changed = `${state.slice(0, 60)}${state[60] === 'A' ? 'B' : 'A'}${state.slice(61)}`
    for (const requestState of ['', 'x', changed, `${state}_`, state.slice(0, 40)])
      await expect(call(client, 'deploy', { env: 'prod' }, { ...accept(first), requestState })).rejects.toMatchObject(
        rejected,
      )
    expect(runs).toEqual([])
  })

  it('is refused for other arguments, also where JSON would not tell them apart', async () => {
    const client = await modern(deployWith({}), over)
    const first = await call(client, 'deploy', { env: 'staging', tags: ['a'] })
    runs.length = 0
    for (const args of [{ env: 'prod', tags: ['a'] }, { env: 'staging', tags: ['b'] }, { env: 'staging' }])
      await expect(call(client, 'deploy', args, accept(first, { why: 'x' }))).rejects.toMatchObject(rejected)
    expect(runs).toEqual([])
    expect(await call(client, 'deploy', { env: 'staging', tags: ['a'] }, accept(first, { why: 'x' }))).toHaveProperty(
      'requestState',
    )
  })
})

/** A tool whose schema makes something of what is sent. */
function uploadOf(made: (sent: string) => unknown): Factory {
  return () => {
    const server = new McpServer({ name: 'shop', version: '1.0.0' })
    const inputSchema = z.object({ file: z.string().transform(made) })
    server.registerTool(
      'run',
      { inputSchema },
      asks(async (_args, ctx) => ((await ctx.confirm('Run it?')) ? 'ran' : 'not run')),
    )
    return server
  }
}

class Money {
  readonly #cents: number
  constructor(cents: number) {
    this.#cents = cents
  }
  toJSON(): number {
    return this.#cents
  }
}

const long = 'x'.repeat(200)
const last = (sent: string) => sent.charCodeAt(sent.length - 1)

it.each([
  ['bytes that begin alike', (sent: string) => Buffer.from(sent)],
  ['a list of bytes', (sent: string) => [new Uint8Array(Buffer.from(sent))]],
  ['bytes in a map', (sent: string) => new Map([['file', Buffer.from(sent)]])],
  ['an object of a class', (sent: string) => new Money(last(sent))],
  ['a date', (sent: string) => new Date(last(sent))],
  ['an address', (sent: string) => new URL(`https://example.com/${sent}`)],
])('a state is refused for %s that a schema made', async (_what, made) => {
  const client = await modern(uploadOf(made))
  const first = await call(client, 'run', { file: `${long}a` })
  for (const file of [`${long}b`, long]) {
    await expect(call(client, 'run', { file }, accept(first))).rejects.toMatchObject(rejected)
  }
  expect(await call(client, 'run', { file: `${long}a` }, accept(first))).toMatchObject({ content: [{ text: 'ran' }] })
})

it.each([
  ['a Blob', (sent: string) => new Blob([sent])],
  ['a function', (sent: string) => () => sent],
])('nobody is asked about %s, of which nobody can tell what it is', async (_what, made) => {
  const client = await modern(uploadOf(made))
  expect(await call(client, 'run', { file: 'a' })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('cannot tell one') }],
  })
})

it('a state is refused for another tool', async () => {
  const client = await modern(deployWith({}))
  const first = await call(client, 'deploy', { env: 'prod' })
  await expect(call(client, 'left', {}, accept(first))).rejects.toMatchObject(rejected)
})

it('a state is refused for another tool with the same function, where the request names its tool', async () => {
  const client = await modern(deployWith({}), 'http')
  const first = await call(client, 'left', {})
  await expect(call(client, 'right', {}, accept(first))).rejects.toMatchObject(rejected)
  expect(await call(client, 'left', {}, accept(first))).toMatchObject({ content: [{ text: 'left' }] })
})

it('a state is refused for another person', async () => {
  let person = 'ada'
  const client = await modern(deployWith({ identify: () => person }))
  const first = await call(client, 'deploy', { env: 'prod' })
  person = 'eve'
  await expect(call(client, 'deploy', { env: 'prod' }, accept(first))).rejects.toMatchObject(rejected)
})

describe('another process', () => {
  async function anotherProcess(): Promise<typeof asks> {
    vi.resetModules()
    return (await import('./asks.js')).asks
  }

  it('replays the handler from the journal, and recorded steps do not run again', async () => {
    const options: AsksOptions = { name: 'deploy', keys: 'one key for both of them' }
    const [here, there] = [await modern(deployWith(options)), await modern(deployWith(options, await anotherProcess()))]
    const first = await call(here, 'deploy', { env: 'prod' })
    runs.length = 0
    const second = await call(there, 'deploy', { env: 'prod' }, accept(first, { why: 'fun' }))
    expect(runs).toEqual(['prod', 'ticket'])
    runs.length = 0
    expect(await call(here, 'deploy', { env: 'prod' }, accept(second))).toMatchObject({
      content: [{ text: 'prod, fun, 2' }],
    })
    expect(runs).toEqual(['prod'])
  })

  it('is told by the source of the handler where it has no name', async () => {
    const options: AsksOptions = { keys: 'one key for both of them' }
    const [here, there] = [await modern(deployWith(options)), await modern(deployWith(options, await anotherProcess()))]
    const first = await call(here, 'deploy', { env: 'prod' })
    expect(await call(there, 'deploy', { env: 'prod' }, accept(first, { why: 'fun' }))).toHaveProperty('requestState')
  })

  it('refuses what it has no key for', async () => {
    const [here, there] = [await modern(deployWith({})), await modern(deployWith({}, await anotherProcess()))]
    const first = await call(here, 'deploy', { env: 'prod' })
    await expect(call(there, 'deploy', { env: 'prod' }, accept(first))).rejects.toMatchObject(rejected)
  })

  it('says so where a handler must not be replayed', async () => {
    const options: AsksOptions = { keys: 'one key for both of them', replay: 'never' }
    const [here, there] = [await modern(deployWith(options)), await modern(deployWith(options, await anotherProcess()))]
    const first = await call(here, 'deploy', { env: 'prod' })
    await expect(call(there, 'deploy', { env: 'prod' }, accept(first, { why: 'x' }))).rejects.toMatchObject(rejected)
  })
})

it('lives beside tools that seal states of their own', async () => {
  const codec = createRequestStateCodec<{ asked: boolean }>({ key: 'a key of thirty-two bytes or more' })
  const client = await modern(() => {
    const server = new McpServer(
      { name: 'shop', version: '1.0.0' },
      { requestState: { verify: (state, ctx) => (state.startsWith('v1.') ? codec.verify(state, ctx) : undefined) } },
    )
    server.registerTool('own', {}, async ctx =>
      ctx.mcpReq.requestState<{ asked: boolean }>() === undefined
        ? inputRequired({
            inputRequests: {
              a: inputRequired.elicit({ message: 'A?', requestedSchema: { type: 'object', properties: {} } }),
            },
            requestState: await codec.mint({ asked: true }, ctx),
          })
        : { content: [{ type: 'text', text: 'own' }] },
    )
    server.registerTool(
      'ours',
      {},
      asks(async ctx => ((await ctx.confirm('B?')) ? 'ours' : 'no')),
    )
    return server
  })
  const [own, ours] = [await call(client, 'own', {}), await call(client, 'ours', {})]
  expect(await call(client, 'own', {}, accept(own))).toMatchObject({ content: [{ text: 'own' }] })
  await expect(call(client, 'ours', {}, accept(own))).rejects.toMatchObject({ code: -32602 })
  expect(await call(client, 'ours', {}, accept(ours))).toMatchObject({ content: [{ text: 'ours' }] })
})
