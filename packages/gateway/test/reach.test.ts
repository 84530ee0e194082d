// Without `identify` a gateway serves its own machine alone, however it is served.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGateway, type GatewayOptions } from '@beckon/gateway'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectAgent } from './clients.js'
import { temporaryHome } from './setup.js'

function gatewayWith(server: GatewayOptions['server'] = {}) {
  const gateway = createGateway({ home: temporaryHome(), log: () => {}, server })
  onTestFinished(() => gateway.close())
  return gateway
}

/** Serves `gateway.node` as someone's own server would, wherever that listens. */
async function mounted(gateway: ReturnType<typeof gatewayWith>): Promise<string> {
  const server = createServer((request, response) => gateway.node(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

const identify = () => 'ada'
const initialize = {
  method: 'POST',
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  }),
}
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const proxied = [
  { 'x-forwarded-for': '203.0.113.7' },
  { forwarded: 'for=203.0.113.7' },
  { 'x-forwarded-host': 'tools.example' },
  { 'x-real-ip': '203.0.113.7' },
  { via: '1.1 proxy' },
  { 'x-forwarded-proto': 'https' },
]

describe('a gateway that cannot tell people apart', () => {
  it.each(['0.0.0.0', '::', '192.0.2.7', 'tools.example'])('does not listen on %s', async host => {
    await expect(gatewayWith().listen({ port: 0, host })).rejects.toThrow(/server\.identify/)
  })

  it.each([
    { publicUrl: 'https://tools.example' },
    { allowedHosts: ['tools.example'] },
    { allowedHosts: ['localhost', '192.0.2.7:80'] },
  ])('is not made for other machines: %j', server => {
    expect(() => createGateway({ home: temporaryHome(), server })).toThrow(/server\.identify/)
    gatewayWith({ ...server, identify })
  })

  it.each([{ publicUrl: 'http://localhost:7475' }, { allowedHosts: ['localhost', '127.0.0.1', '[::1]:80'] }])(
    'is made for this one: %j',
    server => {
      gatewayWith(server)
    },
  )

  it('serves this machine by fetch, and nobody else', async () => {
    const gateway = gatewayWith()
    const status = async (url: string, headers: Record<string, string> = {}) =>
      (await gateway.fetch(new Request(url, { ...initialize, headers: { ...json, ...headers } }))).status
    for (const host of ['localhost', '127.0.0.1:7475', '[::1]']) expect(await status(`http://${host}/mcp`)).toBe(200)
    expect(await status('http://tools.example/mcp')).toBe(403)
    expect(await status('http://localhost.evil.example/mcp')).toBe(403)
    expect(await status('http://localhost/mcp', { host: 'tools.example' })).toBe(403)
    for (const headers of proxied) expect(await status('http://localhost/mcp', headers)).toBe(403)
  })

  it('serves this machine by node, and nobody whom a proxy lets in', async () => {
    const gateway = gatewayWith()
    const url = await mounted(gateway)
    const agent = await connectAgent(url, '2026-07-28')
    onTestFinished(() => agent.close())
    expect(await agent.toolNames()).toContain('tesseron__claim_session')
    for (const headers of proxied)
      expect((await fetch(url, { ...initialize, headers: { ...json, ...headers } })).status).toBe(403)
  })
})

it('serves others by fetch and node, once it can tell them apart', async () => {
  const gateway = gatewayWith({ identify })
  const url = await mounted(gateway)
  for (const headers of proxied) {
    const init = { ...initialize, headers: { ...json, ...headers } }
    expect((await gateway.fetch(new Request('http://tools.example/mcp', init))).status).toBe(200)
    expect((await fetch(url, init)).status).toBe(200)
  }
})
