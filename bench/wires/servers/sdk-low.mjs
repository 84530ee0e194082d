// The SDK's low-level Server, one per request as createMcpHandler has it, with handlers that all of them share.
import { createServer } from 'node:http'
import { peer } from '../../peers/peer.js'
import { listen } from '../load/ready.mjs'

const { Server, acceptedContent, createMcpHandler, inputRequired } = await peer('@modelcontextprotocol/server')
const { toNodeHandler } = await peer('@modelcontextprotocol/node')
const { z } = await peer('zod')

const schema = z.object({ name: z.string() })
const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const name = inputRequired.elicit({ message: 'Your name?', requestedSchema })

/**
 * @param {unknown} _request
 * @param {any} ctx
 */
function callTool(_request, ctx) {
  const answer = acceptedContent(ctx.mcpReq.inputResponses, 'name', schema)
  if (!answer) return inputRequired({ inputRequests: { name } })
  return { content: [{ type: 'text', text: `hello ${answer.name}` }] }
}

const handler = createMcpHandler(
  () => {
    const mcp = new Server({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: {} } })
    mcp.setRequestHandler('tools/call', callTool)
    return mcp
  },
  { legacy: 'reject' },
)
const server = createServer(toNodeHandler(handler))
listen(server)
