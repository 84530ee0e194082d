import { afterEach, beforeEach, expect, it } from 'vitest'
import { type BeckonServer, createServer } from '../index.js'

let server: BeckonServer
beforeEach(() => {
  server = createServer({ name: 'shop', version: '1.0.0' })
})
afterEach(() => server.close())

/** What a request of a 2025 session is answered. */
async function answered(method: string, params: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const post = (message: object, session?: string) =>
    server.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { ...headers, ...(session && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }) },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      }),
    )
  const about = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  const opened = await post({ method: 'initialize', params: about })
  return (await post({ method, params }, opened.headers.get('mcp-session-id') ?? '')).json()
}

it.each([{ level: 'loud' }, { level: { a: 1 } }, {}])(
  'says that a level cannot be %j, and not that something went wrong within',
  async params => {
    const error = { code: -32602, message: 'Invalid params for logging/setLevel.' }
    expect(await answered('logging/setLevel', params)).toMatchObject({ error })
  },
)

it.each([5, [], { progressToken: {} }, { progressToken: 1.5 }, { 'io.modelcontextprotocol/related-task': 1 }])(
  'answers a request whose _meta is %j, which the SDK passes over',
  async _meta => {
    expect(await answered('ping', { _meta })).toMatchObject({ error: { code: -32600 } })
  },
)
