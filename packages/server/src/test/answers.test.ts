import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type BeckonServer, createServer, type ToolHandler } from '../index.js'
import { createTestClient, type TestAnswer, type TestClient, type TestClientOptions, type TestWire } from './index.js'
import './vitest.js'

const clients: TestClient[] = []
afterEach(() => Promise.all(clients.splice(0).map(client => client.close())))

const wires: TestWire[] = ['push', 'rounds', 'tasks']

function serverWith(handler: ToolHandler): BeckonServer {
  return createServer({ name: 's', version: '1' }).tool('act', { task: 'optional' }, handler)
}

function connect(server: BeckonServer, options: TestClientOptions): TestClient {
  const client = createTestClient(server, options)
  clients.push(client)
  return client
}

/** What a handler gets for an answer. */
async function outcomeOf(
  schema: z.ZodType | string[] | [string[]] | BooleanConstructor,
  answer: TestAnswer,
  options = {},
) {
  const server = serverWith(async (_input, ctx) => ctx.json(await ctx.elicit.form('Fill in', schema as z.ZodType)))
  const client = connect(server, { ...options, answer: [answer] })
  return (await client.callTool('act')).structuredContent
}

describe.each(wires)('without an answer on %s', wire => {
  it('fails with the name of the ask when the queue is used up', async () => {
    const server = serverWith(async (_input, ctx) => {
      await ctx.confirm('First?')
      await ctx.confirm({ question: 'Second?', key: 'second' })
    })
    const client = connect(server, { wire, answer: [true] })
    await expect(client.callTool('act')).rejects.toThrow(
      '"act" asked "Second?" (confirm, key "second"), and the 1 answers in the queue were used up.',
    )
    expect(client.asked.map(({ outcome }) => outcome)).toEqual([{ action: 'accept', content: {} }, undefined])
  })

  it('fails when there is no answer at all', async () => {
    const client = connect(
      serverWith(async (_input, ctx) => String(await ctx.confirm('Sure?'))),
      { wire },
    )
    await expect(client.callTool('act')).rejects.toThrow(
      '"act" asked "Sure?" (confirm), and the test client has no `answer`',
    )
  })

  it('fails when the function has nothing to say, or throws', async () => {
    const server = serverWith(async (_input, ctx) => String(await ctx.roots()))
    const silent = connect(server, { wire, answer: () => undefined as never })
    await expect(silent.callTool('act')).rejects.toThrow(
      '"act" asked the client for "roots", and `answer` returned nothing',
    )
    const error = new Error('of the test')
    const throwing = connect(server, {
      wire,
      answer() {
        throw error
      },
    })
    await expect(throwing.callTool('act')).rejects.toBe(error)
  })

  it('fails when an answer can be none', async () => {
    const server = serverWith(async (_input, ctx) => String(await ctx.confirm('Sure?')))
    await expect(connect(server, { wire, answer: ['yes'] }).callTool('act')).rejects.toThrow(
      `"act" asked "Sure?" (confirm), which a string cannot answer. Give true, false, 'accept', 'decline' or 'cancel'.`,
    )
  })
})

it.each<[TestAnswer, boolean]>([
  [true, true],
  ['accept', true],
  [{ action: 'accept' }, true],
  [{}, true],
  [false, false],
  ['decline', false],
  ['cancel', false],
  [{ action: 'cancel' }, false],
])('answers a confirm with %j', async (answer, expected) => {
  const server = serverWith(async (_input, ctx) => String(await ctx.confirm('Sure?')))
  expect(await connect(server, { answer: [answer] }).callTool('act')).toHaveText(String(expected))
})

it('accepts a form with its defaults', async () => {
  const schema = z.object({ name: z.string().default('Ada'), age: z.number().optional() })
  expect(await outcomeOf(schema, 'accept')).toEqual({ action: 'accept', content: { name: 'Ada' } })
})

it('takes content with a field that is called action', async () => {
  const schema = z.object({ action: z.string(), note: z.string().optional() })
  expect(await outcomeOf(schema, { action: 'accept', note: 'x' })).toEqual({
    action: 'accept',
    content: { action: 'accept', note: 'x' },
  })
})

it('takes a bare value', async () => {
  expect(await outcomeOf(Boolean, false)).toEqual({ action: 'accept', content: false })
  expect(await outcomeOf(['red', 'green'], 'red')).toEqual({ action: 'accept', content: 'red' })
})

it('does not make content of something else', async () => {
  await expect(outcomeOf(z.object({ a: z.string() }), 5)).rejects.toThrow('which a number cannot answer')
})

describe('on 2025-06-18', () => {
  const options = { wire: 'push', revision: '2025-06-18' } as const

  it('ticks the boxes that a multi-select was lowered to', async () => {
    const schema = z.object({ tags: z.array(z.enum(['x', 'y'])), size: z.enum(['s', 'm']) })
    const server = serverWith(async (_input, ctx) => ctx.json(await ctx.elicit({ question: 'Which?', schema })))
    const client = connect(server, { ...options, answer: [{ tags: ['y'], size: 's' }] })
    expect((await client.callTool('act')).structuredContent).toEqual({ tags: ['y'], size: 's' })
    expect(client).toHaveAsked({
      outcome: { action: 'accept', content: { 'tags.x': false, 'tags.y': true, size: 's' } },
    })
    expect(
      client.messages.some(({ message }) => 'method' in message && message.params?.protocolVersion === '2025-06-18'),
    ).toBe(true)
  })

  it('ticks those of a bare one', async () => {
    expect(await outcomeOf([['red', 'green']], ['green'], options)).toEqual({ action: 'accept', content: ['green'] })
  })

  it('is a revision of push alone', () => {
    expect(() =>
      connect(
        serverWith(() => ''),
        { wire: 'rounds', revision: '2025-06-18' },
      ),
    ).toThrow('one revision')
  })
})
