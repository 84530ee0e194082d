import { expect, it } from 'vitest'
import { type Context, createServer } from '../index.js'
import { createTestClient } from '../test/index.js'

it.each(['confirm', 'elicit'] as const)(
  'ctx.%s says what is missing, and asks nobody, where there is no question',
  async method => {
    const server = createServer({ name: 's', version: '1.0.0' })
    // As it is written without types.
    server.tool('t', {}, async (_input, ctx) => {
      await (ctx[method] as (options?: object) => Promise<unknown>)({ message: 'Sure?', schema: ['a', 'b'] })
      return 'asked'
    })
    const asked: unknown[] = []
    const client = createTestClient(server, { answer: ask => void asked.push(ask) as never })
    const result = await client.callTool('t')
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('"question"') }] })
    expect(asked).toEqual([])
    await client.close()
    await server.close()
  },
)

// As they are written without types.
const asks: Record<string, (ctx: Context) => Promise<unknown>> = {
  'ctx.confirm asks an empty question': ctx => ctx.confirm(''),
  'ctx.confirm asks an empty question, ': ctx => ctx.confirm.outcome({ question: ' ' }),
  'ctx.elicit asks an empty question': ctx => ctx.elicit({ question: '', schema: ['a'] }),
  'ctx.elicit.form asks an empty question': ctx => ctx.elicit.form('', ['a']),
  'ctx.elicit.url asks an empty question': ctx => ctx.elicit.url('', 'https://shop.example'),
  'Use https, or createServer({ allowHttp: true })': ctx => ctx.elicit.url('Pay', 'http://shop.example'),
  '"quorm" that nobody reads. Write quorum.': ctx => ctx.confirm({ question: 'Go on?', quorm: 2 } as never),
  '"sheme" that nobody reads. Write schema.': ctx =>
    ctx.elicit({ question: 'Which?', schema: ['a', 'b'], sheme: 1 } as never),
  '"default" that nobody reads. Write initial.': ctx =>
    ctx.elicit.form('Which?', ['a', 'b'], { default: 'a' } as never),
  '"waitForCompletoin" that nobody reads. Write waitForCompletion.': ctx =>
    ctx.elicit.url('Pay', 'https://shop.example', { waitForCompletoin: true } as never),
}

it.each(Object.entries(asks))('asks nobody what is not written right: %s', async (message, ask) => {
  const server = createServer({ name: 's', version: '1.0.0' })
  server.tool('t', {}, async (_input, ctx) => {
    await ask(ctx)
    return 'asked'
  })
  const asked: unknown[] = []
  const client = createTestClient(server, { answer: one => void asked.push(one) as never })
  const result = await client.callTool('t')
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(message) }] })
  expect(asked).toEqual([])
  await client.close()
  await server.close()
})
