// Clients that can put forms, and open no pages: what they cannot put goes to the desk.
import { Client, type ElicitRequest, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { createServer } from '../src/index.js'
import { createTestClient } from '../src/test/index.js'
import { tasksExtension } from '../src/wires/tasks.js'
import { deskDouble } from './desk-double.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const accepted = { kind: 'outcome', outcome: { action: 'accept', content: {} } } as const

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(resolve => setTimeout(resolve, 5))
}

describe.each(['legacy', 'modern'] as const)('a %s client that opens no pages, with a desk', era => {
  async function setUp(replay?: 'always') {
    const desk = deskDouble()
    const server = createServer({ name: 's', version: '1.0.0', desk, wait: 200, ...(replay && { replay }) })
    let effects = 0
    server.tool('sign', {}, async (_input, ctx) => {
      const isSure = await ctx.confirm('Sure?')
      const effect = await ctx.step('effect', () => ++effects)
      const { action } = await ctx.elicit.url('Sign here', 'https://sign.example/')
      return `${isSure} ${effect} ${action} ${await ctx.confirm('Really?')}`
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
    return { desk, asked, call, effects: () => effects }
  }

  it('is asked what it can put, and the desk the rest, with nothing done or asked twice', async () => {
    const { desk, asked, call, effects } = await setUp()
    const told = await call('sign')
    expect(told).toContain('https://desk.example/')
    expect([asked, desk.open(), effects()]).toEqual([['Sure?'], ['Sign here'], 1])
    desk.answer('Sign here', accepted)
    await until(() => desk.open().includes('Really?'))
    expect(await call('sign')).toContain('https://desk.example/')
    desk.answer('Really?', accepted)
    expect(await call('sign')).toContain('true 1 accept true')
    expect([asked, effects()]).toEqual([['Sure?'], 1])
    // Delivered once: the next is a new call.
    expect(await call('sign')).toContain('https://desk.example/')
    expect([asked, effects()]).toEqual([['Sure?', 'Sure?'], 2])
  })

  it('waits for an answer on the desk that comes soon', async () => {
    const { desk, call } = await setUp()
    const result = call('sign')
    await until(() => desk.open().length > 0)
    desk.answer('Sign here', accepted)
    await until(() => desk.open().includes('Really?'))
    desk.answer('Really?', accepted)
    expect(await result).toContain('true 1 accept true')
  })

  it('has nothing on the desk for what it can put itself', async () => {
    const { desk, asked, call } = await setUp()
    expect(await call('quiet')).toContain('true')
    expect([asked, desk.open()]).toEqual([['Sure?'], []])
  })
})

it('is refused what it cannot put where the call has become a task, which stays one', async () => {
  const desk = deskDouble()
  const server = createServer({ name: 's', version: '1.0.0', desk })
  server.tool('sign', { task: 'required' }, async (_input, ctx) => {
    await ctx.elicit.url('Sign here', 'https://sign.example/')
    return 'signed'
  })
  const client = createTestClient(server, {
    wire: 'tasks',
    capabilities: { elicitation: { form: {} }, extensions: { [tasksExtension]: {} } },
  })
  closing.push(
    () => client.close(),
    () => server.close(),
  )
  await expect(client.callTool('sign')).rejects.toThrow('elicitation.url')
  expect(desk.open()).toEqual([])
})
