// The floor for push: one session id for everyone, the ask and the result on the stream of their call.
import { createServer } from 'node:http'
import { listen } from '../load/ready.mjs'

const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const waiting = new Map()
let asks = 0

const server = createServer((req, res) => {
  const chunks = []
  req.on('data', chunk => chunks.push(chunk))
  req.on('end', () => {
    const message = JSON.parse(Buffer.concat(chunks))
    if (message.method === 'initialize') return json(res, message, initialized(message.params))
    if (message.method === 'tools/call') return call(res, message)
    waiting.get(message.id)?.(message.result)
    waiting.delete(message.id)
    res.writeHead(202).end()
  })
})
listen(server)

function call(res, { id }) {
  const askId = `ask-${++asks}`
  const params = { message: 'Your name?', requestedSchema }
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  res.write(event({ jsonrpc: '2.0', id: askId, method: 'elicitation/create', params }))
  waiting.set(askId, ({ content }) => {
    res.end(event({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `hello ${content.name}` }] } }))
  })
}

function json(res, { id }, result) {
  res.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'bare' })
  res.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
}

const initialized = ({ protocolVersion }) => ({
  protocolVersion,
  capabilities: { tools: {} },
  serverInfo: { name: 'bench', version: '1.0.0' },
})

const event = message => `event: message\ndata: ${JSON.stringify(message)}\n\n`
