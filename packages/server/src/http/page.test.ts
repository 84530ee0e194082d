import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createServer } from '../index.js'

it('answers a form that a framework has read as something that is no form', async () => {
  const server = createServer({ name: 's', version: '1.0.0', publicUrl: 'http://127.0.0.1:4000' })
  let failed: unknown
  const http = createHttpServer((request, response) => {
    request.resume()
    const body = { a: { toString: 1, valueOf: 2 }, b: [null, { c: 1 }], d: 'text' }
    try {
      server.node(Object.assign(request, { body }), response)
    } catch (error) {
      failed = error
      response.writeHead(599).end()
    }
  })
  onTestFinished(() => void http.close())
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/beckon/go/x`, { method: 'POST', body: 'x' })
  expect([failed, response.status]).toEqual([undefined, 404])
})

it('leaves an endpoint alone that is mounted below a path like that of our pages', async () => {
  const server = createServer({ name: 's', version: '1.0.0' })
  for (const path of ['/api/beckon/mcp', '/beckon/mcp', '/beckon/api/mcp']) {
    const response = await server.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      }),
    )
    expect([path, response.status]).not.toEqual([path, 404])
  }
  const page = await server.fetch(new Request('http://localhost/beckon/go/none'))
  expect(page.headers.get('content-type')).toMatch(/^text\/(html|plain)/)
})
