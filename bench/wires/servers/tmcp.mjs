// With srvx, the quickest of the adapters from node:http to web requests that were tried.
import { createServer } from 'node:http'
import { peer } from '../../peers/peer.js'
import { listen } from '../load/ready.mjs'

const { McpServer } = await peer('tmcp')
const { ZodJsonSchemaAdapter } = await peer('@tmcp/adapter-zod')
const { HttpTransport } = await peer('@tmcp/transport-http')
const { toNodeHandler } = await peer('srvx/node')
const { z } = await peer('zod')

const mcp = new McpServer(
  { name: 'bench', version: '1.0.0', description: 'asks' },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
)
const schema = z.object({ name: z.string() })
mcp.tool({ name: 'ask', description: 'asks', schema: z.object({ topic: z.string() }), replayable: true }, async () => {
  const { content } = await mcp.elicitation('Your name?', schema)
  return { content: [{ type: 'text', text: `hello ${content?.name}` }] }
})

const transport = new HttpTransport(mcp, { path: '/mcp' })
const server = createServer(
  toNodeHandler(
    async (/** @type {Request} */ request) => (await transport.respond(request)) ?? new Response(null, { status: 404 }),
  ),
)
listen(server)
