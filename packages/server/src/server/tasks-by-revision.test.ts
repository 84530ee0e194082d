import { afterEach, expect, it } from 'vitest'
import { createServer } from './create-server.js'

const tasks = 'io.modelcontextprotocol/tasks'

const server = createServer({ name: 's', version: '1.0.0', fallback: 'relay' })
server.tool('sure', { task: 'optional' }, async (_input, ctx) => ctx.json(await ctx.confirm('Sure?')))
afterEach(() => server.close())

async function post(message: object, session = ''): Promise<{ session: string; result: Record<string, unknown> }> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session !== '' && { 'mcp-session-id': session }),
  }
  const body = JSON.stringify({ jsonrpc: '2.0', ...message })
  const response = await server.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }))
  const { result } = (await response.json()) as { result: Record<string, unknown> }
  return { session: response.headers.get('mcp-session-id') ?? '', result }
}

// The extension is declared in each request and in `server/discover`: on 2025 there is neither, nor a way to ask after a task.
it('has no tasks for a session of 2025, whatever its client declares', async () => {
  const { session, result } = await post({
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: { extensions: { [tasks]: {} } },
      clientInfo: { name: 'c', version: '1' },
    },
  })
  expect(result.capabilities).not.toHaveProperty(['extensions', tasks])
  const call = await post({ id: 2, method: 'tools/call', params: { name: 'sure', arguments: {} } }, session)
  expect(call.result).toMatchObject({ content: [{ type: 'text' }] })
  expect(call.result).not.toHaveProperty('resultType')
})
