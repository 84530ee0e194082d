import { describe, expect, it } from 'vitest'
import { deskDouble } from '../../test/desk-double.js'
import { createServer } from '../index.js'
import { bearer } from '../middleware/bearer/bearer.js'

/** Two callers whom only a gate tells apart, at a tool that asks on the desk. */
function setUp() {
  const desk = deskDouble()
  const server = createServer({ name: 's', version: '1.0.0', desk, wait: 1 })
  server.tool('salaries', bearer({ token: ['of-ann', 'of-bob'] }), {}, async (_input, ctx) =>
    (await ctx.confirm('Show them?')) ? 'the salaries' : 'nothing',
  )
  const call = async (headers: Record<string, string> = {}) => (await server.fetch(request('salaries', headers))).text()
  return { desk, call }
}

/** From a client of 2026-07-28 that cannot ask. */
function request(name: string, headers: Record<string, string>): Request {
  const prefix = 'io.modelcontextprotocol/'
  const _meta = { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: {} }
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, _meta } }),
  })
}

const ann = { authorization: 'Bearer of-ann' }
const bob = { authorization: 'Bearer of-bob' }

describe('a call on the desk of someone without a principal and a session', () => {
  it('is continued by whoever brings the same credentials', async () => {
    const { desk, call } = setUp()
    expect(await call(ann)).toContain('A person was asked')
    desk.answer('Show them?', { kind: 'outcome', outcome: { action: 'accept', content: {} } })
    expect(await call(ann)).toContain('the salaries')
  })

  it('is not for those whom a gate would not let through, nor for those with other credentials', async () => {
    const { desk, call } = setUp()
    await call(ann)
    expect(await call()).toContain('Not authorized')
    expect(await call({ cookie: 'ann=1' })).toContain('Not authorized')
    desk.answer('Show them?', { kind: 'outcome', outcome: { action: 'accept', content: {} } })
    expect(await call()).toContain('Not authorized')
    expect(await call(bob)).toContain('A person was asked')
    expect(await call(ann)).toContain('the salaries')
  })
})
