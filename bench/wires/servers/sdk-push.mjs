// The SDK's session transport for 2025, one McpServer a session, the ask on the stream of its own call.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { peer } from '../../peers/peer.js'
import { listen } from '../load/ready.mjs'

const { McpServer } = await peer('@modelcontextprotocol/server')
const { NodeStreamableHTTPServerTransport } = await peer('@modelcontextprotocol/node')
const { z } = await peer('zod')

const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const config = { description: 'asks', inputSchema: z.object({ topic: z.string() }) }
const sessions = new Map()

/**
 * @param {unknown} _input
 * @param {any} ctx
 */
async function ask(_input, { mcpReq }) {
  const params = { message: 'Your name?', requestedSchema }
  const { content } = await mcpReq.send({ method: 'elicitation/create', params }, { relatedRequestId: mcpReq.id })
  return { content: [{ type: 'text', text: `hello ${content?.name}` }] }
}

async function newSession() {
  const mcp = new McpServer({ name: 'bench', version: '1.0.0' })
  mcp.registerTool('ask', config, ask)
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (/** @type {string} */ id) => void sessions.set(id, transport),
  })
  await mcp.connect(transport)
  return transport
}

const server = createServer(async (req, res) => {
  const transport = sessions.get(req.headers['mcp-session-id']) ?? (await newSession())
  await transport.handleRequest(req, res)
})
listen(server)
