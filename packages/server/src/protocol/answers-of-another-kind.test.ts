import { expect, it } from 'vitest'
import { modernCall } from '../../test/raw-http.js'
import { createServer } from '../server/create-server.js'

const message = { role: 'assistant', content: { type: 'text', text: 'Hi.' }, model: 'm' }
const roots = { roots: [{ uri: 'file:///a' }] }
const accept = { action: 'accept', content: {} }

function server() {
  const one = createServer({ name: 's', version: '1.0.0' })
  return one.tool('both', {}, async (_input, ctx) => {
    const [said, places] = await Promise.all([
      ctx.sample({ key: 'said', messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 9 }),
      ctx.roots({ key: 'places' }),
    ])
    return ctx.json({ said: said.content, places })
  })
}

// 2026-07-28, multi round-trip requests: "Servers SHOULD validate that the data provided by the client is a valid InputResponses
// object", and ask again for what is missing.
it.each([
  ['an elicitation', accept, accept],
  ['nothing', {}, {}],
  ['each other', roots, message],
  ['no message and no addresses', { role: 'system', content: 'Hi.' }, { roots: ['file:///a'] }],
])('asks again for a sample and for roots that were answered with the result of %s', async (_, said, places) => {
  const one = server()
  const call = async (params: Record<string, unknown>) => {
    const capabilities = { sampling: {}, roots: {} }
    const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities }
    const init = modernCall({ name: 'both', meta, params })
    const response = await one.fetch(new Request('http://localhost/mcp', init))
    const { result } = (await response.json()) as { result: Record<string, unknown> }
    return result
  }
  const { requestState: first } = await call({})
  const again = await call({ requestState: first, inputResponses: { said, places } })
  expect(Object.keys(Object(again.inputRequests))).toEqual(['said', 'places'])
  const done = await call({ requestState: again.requestState, inputResponses: { said: message, places: roots } })
  expect(done.structuredContent).toEqual({ said: message.content, places: roots.roots })
})
