// The floor for push: one session id for everyone, the ask and the result on the stream of their call.

import { createServer } from 'node:http'
import { listen } from '../load/ready.mjs'

/** @typedef {import('node:http').ServerResponse} Response */

const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
/** @type {Map<string, (result: any) => void>} */
const waiting = new Map()
let asks = 0

const server = createServer((req, res) => {
  /** @type {Buffer[]} */
  const chunks = []
  req.on('data', chunk => chunks.push(chunk))
  req.on('end', () => {
    const message = JSON.parse(Buffer.concat(chunks).toString())
    if (message.method === 'initialize') return initialize(res, message)
    if (message.method === 'tools/call') return call(res, message.id)
    waiting.get(message.id)?.(message.result)
    waiting.delete(message.id)
    res.writeHead(202).end()
  })
})
listen(server)

/**
 * @param {Response} res
 * @param {number} id
 */
function call(res, id) {
  const askId = `ask-${++asks}`
  const params = { message: 'Your name?', requestedSchema }
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  res.write(event({ jsonrpc: '2.0', id: askId, method: 'elicitation/create', params }))
  waiting.set(askId, ({ content }) => {
    res.end(event({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `hello ${content.name}` }] } }))
  })
}

/**
 * @param {Response} res
 * @param {any} message
 */
function initialize(res, { id, params: { protocolVersion } }) {
  const serverInfo = { name: 'bench', version: '1.0.0' }
  const result = { protocolVersion, capabilities: { tools: {} }, serverInfo }
  res.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'bare' })
  res.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
}

/** @param {unknown} message */
function event(message) {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`
}
