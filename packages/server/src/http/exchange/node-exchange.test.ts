import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { NodeExchange } from './node-exchange.js'

const names = ['host', 'origin', 'content-type', 'authorization', 'cookie', 'set-cookie', 'mcp-method', 'accept', 'x-y']

it('gives headers as Node reads them, with those that came several times in one', async () => {
  const seen: [unknown, unknown][] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const exchange = new NodeExchange(request, response)
    const asNode = (name: string) => {
      const value = request.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    }
    seen.push([names.map(name => exchange.header(name)), names.map(asNode)])
    expect([exchange.header('constructor'), exchange.header('__proto__')]).toEqual([undefined, undefined])
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const spelled = fc.constantFrom(...names, 'Mcp-Method', 'MCP-METHOD', 'Accept', 'X-Y', 'Cookie')
  const line = fc.tuple(spelled, fc.constantFrom('a', 'b', '', ' c ', 'd, e'))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), async lines => {
      const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      await new Promise<void>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.end(`GET / HTTP/1.1\r\nHost: here\r\n${text}\r\n`))
        socket
          .on('error', reject)
          .on('close', () => resolve())
          .resume()
      })
    }),
    { numRuns: 200 },
  )
  expect(seen.length).toBe(200)
  for (const [found, expected] of seen) expect(found).toEqual(expected)
})
