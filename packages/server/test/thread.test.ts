import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createServer } from 'beckon'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'

const server = createServer({ name: 'thread', version: '1.0.0' })
let runs = 0
server.tool(
  'greet',
  { description: 'Greets', input: z.object({ greeting: z.string() }) },
  async ({ greeting }, ctx) => {
    runs++
    const answer = await ctx.elicit({ question: 'Who are you?', schema: z.object({ name: z.string() }) })
    if (answer === null) return ctx.text('Nobody.')
    const step = await ctx.step('effect', () => 42)
    const ok = await ctx.confirm(`Greet ${answer.name}?`)
    return ctx.text(`${greeting} ${answer.name} ${ok} ${step}`)
  },
)
let url = ''
beforeAll(async () => {
  url = (await server.listen({ port: 0 })).url
})
afterAll(() => server.close())

it.each(['legacy', 'modern'] as const)('asks a %s client', async era => {
  runs = 0
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    },
  )
  client.setRequestHandler('elicitation/create', async request =>
    request.params.message.startsWith('Who') ? { action: 'accept', content: { name: 'Ada' } } : { action: 'accept' },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const result = await client.callTool({ name: 'greet', arguments: { greeting: 'Hello' } })
  expect(result.content).toEqual([{ type: 'text', text: 'Hello Ada true 42' }])
  expect(runs).toBe(1)
  await client.close()
})
