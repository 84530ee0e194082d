// Clients that can put forms, and open no pages: what they cannot put goes to the desk.
import { Client, type ElicitRequest, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { createServer } from '../src/index.js'
import { tasksExtension } from '../src/protocol/capabilities.js'
import { createTestClient } from '../src/test/index.js'
import { deskDouble } from './desk-double.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const accepted = { action: 'accept', content: {} } as const

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(resolve => setTimeout(resolve, 5))
}

describe.each(['legacy', 'modern'] as const)('a %s client that opens no pages, with a desk', era => {
  async function setUp(replay?: 'always') {
    const desk = deskDouble()
    const server = createServer({ name: 's', version: '1.0.0', desk, wait: 200, ...(replay && { replay }) })
    let effects = 0
    let runs = 0
    server.tool('sign', {}, async (_input, ctx) => {
      runs++
      const isSure = await ctx.confirm('Sure?')
      const effect = await ctx.step('effect', () => ++effects)
      const { action } = await ctx.elicit.url('Sign here', 'https://sign.example/')
      return `${isSure} ${effect} ${action} ${await ctx.confirm('Really?')}`
    })
    server.tool('both', {}, async (_input, ctx) => {
      runs++
      const [isSure, { action }] = await Promise.all([
        ctx.confirm('Sure?'),
        ctx.elicit.url('Sign here', 'https://sign.example/'),
      ])
      return `${isSure} ${action}`
    })
    server.tool('quiet', {}, async (_input, ctx) => `${await ctx.confirm('Sure?')}`)
    const { url } = await server.listen({ port: 0 })
    const client = new Client(
      { name: 'forms only', version: '1' },
      {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
      },
    )
    const asked: string[] = []
    client.setRequestHandler('elicitation/create', ({ params }: ElicitRequest) => {
      asked.push(params.message)
      return { action: 'accept' as const, content: {} }
    })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    closing.push(
      () => client.close(),
      () => server.close(),
    )
    const call = async (name: string) => {
      const { content } = await client.callTool({ name, arguments: {} })
      return JSON.stringify(content)
    }
    return { desk, asked, call, effects: () => effects, runs: () => runs }
  }

  it('is asked what it can put, and the desk the rest, with nothing done or asked twice', async () => {
    const { desk, asked, call, effects } = await setUp()
    const told = await call('sign')
    expect(told).toContain('https://desk.example/')
    expect([asked, desk.messages(), effects()]).toEqual([['Sure?'], ['Sign here'], 1])
    desk.answer('Sign here', accepted)
    await until(() => desk.messages().includes('Really?'))
    expect(await call('sign')).toContain('https://desk.example/')
    desk.answer('Really?', accepted)
    expect(await call('sign')).toContain('true 1 accept true')
    expect([asked, effects()]).toEqual([['Sure?'], 1])
    // Delivered once: the next is a new call.
    expect(await call('sign')).toContain('https://desk.example/')
    expect([asked, effects()]).toEqual([['Sure?', 'Sure?'], 2])
  })

  it('waits for an answer on the desk that comes soon', async () => {
    const { desk, asked, call, runs } = await setUp()
    const result = call('sign')
    await until(() => desk.messages().length > 0)
    desk.answer('Sign here', accepted)
    // Its client is still there, and is asked what it can show.
    expect(await result).toContain('true 1 accept true')
    expect([asked, desk.messages(), runs()]).toEqual([['Sure?', 'Really?'], [], 1])
  })

  it('is asked beside the desk, and the handler waits for both', async () => {
    const { desk, asked, call, runs } = await setUp()
    const result = call('both')
    await until(() => desk.messages().length > 0)
    desk.answer('Sign here', accepted)
    expect(await result).toContain('true accept')
    expect([asked, runs()]).toEqual([['Sure?'], 1])
  })

  it('has its handler entered once, whatever its asks go over', async () => {
    const { desk, call, runs } = await setUp()
    await call('sign')
    desk.answer('Sign here', accepted)
    await until(() => desk.messages().includes('Really?'))
    await call('sign')
    desk.answer('Really?', accepted)
    await call('sign')
    expect(runs()).toBe(1)
  })

  it('has nothing on the desk for what it can put itself', async () => {
    const { desk, asked, call } = await setUp()
    expect(await call('quiet')).toContain('true')
    expect([asked, desk.messages()]).toEqual([['Sure?'], []])
  })
})

it.each(['desk', 'relay'] as const)(
  'gives a client that checks results one that it takes while a person thinks, by %s',
  async fallback => {
    const server = createServer({ name: 's', version: '1.0.0', desk: deskDouble(), wait: 1, fallback })
    const output = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const
    server.tool('who', { output }, async (_input, ctx) =>
      ctx.json({ name: await ctx.elicit({ question: 'Who?', schema: String }) }),
    )
    const { url } = await server.listen({ port: 0 })
    const client = new Client(
      { name: 'no forms', version: '1' },
      { capabilities: {}, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    closing.push(
      () => client.close(),
      () => server.close(),
    )
    await client.listTools()
    const { content, isError } = await client.callTool({ name: 'who', arguments: {} })
    expect(isError).toBe(true)
    expect(JSON.stringify(content)).toContain('Who?')
  },
)

it('has on the desk what a client cannot show where the call has become a task, which stays one', async () => {
  const desk = deskDouble()
  const server = createServer({ name: 's', version: '1.0.0', desk })
  server.tool('sign', { task: 'required' }, async (_input, ctx) => {
    const { action } = await ctx.elicit.url('Sign here', 'https://sign.example/')
    return `${action} ${await ctx.confirm('Sure?')}`
  })
  const client = createTestClient(server, {
    wire: 'tasks',
    capabilities: { elicitation: { form: {} }, extensions: { [tasksExtension]: {} } },
    answer: () => true,
  })
  closing.push(
    () => client.close(),
    () => server.close(),
  )
  const result = client.callTool('sign')
  await until(() => desk.messages().includes('Sign here'))
  desk.answer('Sign here', accepted)
  expect((await result).content[0]?.text).toBe('accept true')
  expect(desk.messages()).toEqual([])
})
