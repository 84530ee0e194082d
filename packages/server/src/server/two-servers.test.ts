import { expect, it } from 'vitest'
import { createServer } from './create-server.js'

const prefix = 'io.modelcontextprotocol/'

function call(round: object): Request {
  const _meta = { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: { elicitation: {} } }
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'pay',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pay', ...round, _meta } }),
  })
}

it('takes no state of another server, though both have the same keys', async () => {
  const serverOf = (name: string, isKnown: boolean) =>
    createServer({ name, version: '1.0.0', keys: 'one key for two servers' }).tool('pay', {}, async (_input, ctx) => {
      // Such as a gate leaves behind, which a replay does not pass again.
      if (!(await ctx.step('signed in', () => isKnown))) return 'Sign in first.'
      return (await ctx.confirm('Pay?')) ? 'Paid.' : 'Not paid.'
    })
  const shop = serverOf('shop', true)
  const asked = await (await shop.fetch(call({}))).json()
  const { requestState, inputRequests } = asked.result
  const inputResponses = { [Object.keys(inputRequests)[0] ?? '']: { action: 'accept', content: {} } }
  const told = async (server: typeof shop) => (await server.fetch(call({ requestState, inputResponses }))).text()
  expect(await told(serverOf('bank', false))).toContain('-32602')
  expect(await told(serverOf('shop', false))).toContain('Paid.')
})
