// One tool in three clients: a host that renders asks in views, one that shows views and cannot ask, and one that has forms alone.
import assert from 'node:assert/strict'
import { createTestClient } from 'beckon/test'
import { createTheatre } from './server.js'

const view = { mimeTypes: ['text/html;profile=mcp-app'] }
const json = JSON.stringify({ seats: [{ row: 'A', seat: 4 }] })
const server = createTheatre()

// The ask names the page that shows it, and the form that it is in any case.
const host = createTestClient(server, {
  capabilities: {
    elicitation: { form: {} },
    extensions: { 'io.modelcontextprotocol/ui': { ...view, elicitation: {} } },
  },
  answer: () => ({ json }),
})
assert.equal((await host.callTool('book')).content[0]?.text, 'Booked A4.')
assert.match(JSON.stringify(host.messages), /"resourceUri":"ui:\/\/beckon\/seats"/)
const [page] = (await host.readResource('ui://beckon/seats')).contents
assert.match(String(page?.text), /ui\/initialize/)
await host.close()

// Without views it is the form alone: one field of JSON. What does not fit is asked again.
const plain = createTestClient(server, {
  capabilities: { elicitation: { form: {} } },
  answer: [{ json: '{"seats":[{"row":"Z","seat":9}]}' }, { json }],
})
assert.equal((await plain.callTool('book')).content[0]?.text, 'Booked A4.')
assert.doesNotMatch(JSON.stringify(plain.messages), /resourceUri/)
assert.equal(plain.asked.length, 2)
await plain.close()

// Without asks the result has the question for the tool's view, which answers through a tool of its own.
const views = createTestClient(server, { capabilities: { extensions: { 'io.modelcontextprotocol/ui': view } } })
const waiting: object = await views.callTool('book')
const { _meta } = waiting as { _meta: { 'beckon/ask': { handle: string; tool: string } } }
const { handle, tool } = _meta['beckon/ask']
const booked = await views.callTool(tool, { handle, action: 'accept', content: { json } })
assert.equal(booked.content[0]?.text, 'Booked A4.')
await views.close()
await server.close()
console.log('widgets: ok')
