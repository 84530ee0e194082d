import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createServer, toNode } from 'beckon'
import express from 'express'
import { Hono } from 'hono'
import { afterEach, describe, expect, it } from 'vitest'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const it of open.splice(0).reverse()) await it.close()
})

function createAsking() {
  const server = createServer({ name: 'frameworks', version: '1.0.0' })
  server.tool('t', {}, async (_input, ctx) => ctx.json(await ctx.confirm('Sure?')))
  open.push(server)
  return server
}

async function call(transport: StreamableHTTPClientTransport, era: 'modern' | 'legacy'): Promise<unknown> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: { elicitation: {} },
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    },
  )
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept' }))
  open.push(client)
  await client.connect(transport)
  return (await client.callTool({ name: 't' })).content
}

const yes = [{ type: 'text', text: 'true' }]

describe.each(['modern', 'legacy'] as const)('a %s client is asked', era => {
  it.each([
    ['as it stands', false],
    ['behind express.json()', true],
  ])('through Express, %s', async (_how, parsesBodies) => {
    const app = express()
    if (parsesBodies) app.use(express.json())
    app.all('/mcp', toNode(createAsking()))
    const server: Server = app.listen(0, '127.0.0.1')
    open.push({
      close() {
        server.closeAllConnections()
        server.close()
      },
    })
    await once(server, 'listening')
    // A server that listens on a port has an address of this kind.
    const { port } = server.address() as AddressInfo
    expect(await call(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)), era)).toEqual(yes)
  })

  it('through Hono', async () => {
    const server = createAsking()
    const app = new Hono()
    app.all('/mcp', c => server.fetch(c.req.raw))
    const fetch = async (input: string | URL, init?: RequestInit) => app.fetch(new Request(input, init))
    expect(await call(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch }), era)).toEqual(yes)
  })
})
