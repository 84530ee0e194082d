// The SDK's McpServer, as its documentation writes a tool that asks.
import { createServer } from 'node:http'
import { peer } from '../../peers/peer.js'
import { listen } from '../load/ready.mjs'

const { McpServer, acceptedContent, createMcpHandler, inputRequired } = await peer('@modelcontextprotocol/server')
const { toNodeHandler } = await peer('@modelcontextprotocol/node')
const { z } = await peer('zod')

const schema = z.object({ name: z.string() })
const config = { description: 'asks', inputSchema: z.object({ topic: z.string() }) }

/**
 * @param {unknown} _input
 * @param {any} ctx
 */
function ask(_input, ctx) {
  const answer = acceptedContent(ctx.mcpReq.inputResponses, 'name', schema)
  if (answer) return { content: [{ type: 'text', text: `hello ${answer.name}` }] }
  return inputRequired({
    inputRequests: { name: inputRequired.elicit({ message: 'Your name?', requestedSchema: schema }) },
  })
}

const handler = createMcpHandler(
  () => {
    const mcp = new McpServer({ name: 'bench', version: '1.0.0' })
    mcp.registerTool('ask', config, ask)
    return mcp
  },
  { legacy: 'reject' },
)
const server = createServer(toNodeHandler(handler))
listen(server)
