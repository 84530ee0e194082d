import { createServer } from 'node:net'
import { peer } from '../../peers/peer.js'
import { ready } from '../load/ready.mjs'

const { FastMCP } = await peer('fastmcp')
const { z } = await peer('zod')

const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const mcp = new FastMCP({ name: 'bench', version: '1.0.0', ping: { enabled: false } })
mcp.addTool({
  name: 'ask',
  description: 'asks',
  parameters: z.object({ topic: z.string() }),
  execute: async (/** @type {unknown} */ _input, /** @type {any} */ { elicit }) =>
    `hello ${(await elicit({ message: 'Your name?', requestedSchema })).content?.name}`,
})

const port = await freePort()
await mcp.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1' } })
ready(`http://127.0.0.1:${port}/mcp`)

/** @returns {Promise<number | undefined>} */
function freePort() {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
    })
  })
}
