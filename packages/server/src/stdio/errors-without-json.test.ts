// http/sessions/messages.ts, stdio/stdio-connection.ts: "a request without an answer never ends".
import { PassThrough } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { createServer } from '../index.js'

it.each([
  ['a bigint', () => 1n],
  [
    'a cycle',
    () =>
      Object.assign(Object.create({}), {
        get self() {
          return this
        },
      }),
  ],
])('answers a request over stdio whose handler threw an error that has %s in its data', async (_, dataOf) => {
  const server = createServer({ name: 's', version: '1.0.0' })
  server.tool('t', {}, () => {
    throw Object.assign(new Error('Refused.'), { code: -32000, data: dataOf() })
  })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const serving = server.stdio({ transport: new StdioServerTransport(input, output) })
  onTestFinished(() => serving.close())
  const lines: string[] = []
  output.on('data', chunk => lines.push(...String(chunk).split('\n').filter(Boolean)))
  const write = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'c', version: '1' }
  write({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } })
  write({ method: 'notifications/initialized' })
  write({ id: 2, method: 'tools/call', params: { name: 't', arguments: {} } })
  // Answered after the one before, or never.
  await expect.poll(() => lines.some(line => JSON.parse(line).id === 1), { timeout: 3_000 }).toBe(true)
  await expect.poll(() => lines.map(line => JSON.parse(line).id), { timeout: 3_000 }).toContain(2)
})
