import { expect, it } from 'vitest'
import { createServer } from './create-server.js'

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

it('remembers so many subscriptions of a connection, and no more', { timeout: 120_000 }, async () => {
  const server = createServer({ name: 's', version: '1.0.0' })
  server.resource('notes://{id}', { name: 'notes' }, ({ uri }) => uri)
  let session: Record<string, string> = {}
  let id = 0
  const post = async (method: string, params: object): Promise<Response> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })
    const init = { method: 'POST', headers: { ...headers, ...session }, body }
    return server.fetch(new Request('http://localhost/mcp', init))
  }
  const clientInfo = { name: 'c', version: '1' }
  const opened = await post('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  // As JSON or as an event, whichever it was sent as.
  const subscribe = async (uri: string) => (await post('resources/subscribe', { uri })).text()
  expect(await subscribe('other://1')).toContain('-32002')
  for (let nth = 0; nth < 1_000; nth++) expect(await subscribe(`notes://${nth}`)).toContain('"result"')
  expect(await subscribe('notes://1000')).toContain('-32602')
  await post('resources/unsubscribe', { uri: 'notes://1' })
  expect(await subscribe(`notes://${'x'.repeat(10_000)}`)).toContain('-32602')
  expect(await subscribe('notes://1000')).toContain('"result"')
  await server.close()
})
