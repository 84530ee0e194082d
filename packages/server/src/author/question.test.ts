import { expect, it } from 'vitest'
import { createServer } from '../index.js'
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
