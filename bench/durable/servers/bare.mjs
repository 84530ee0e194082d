// The floor: the same requests on node:http, which write what a call writes as plain commands, and no protocol beyond that.
import { createServer } from 'node:http'
import { listen } from '../../wires/load/ready.mjs'
import { barePostgres } from '../contenders/bare-postgres.mjs'
import { bareRedis } from '../contenders/bare-redis.mjs'

const url = process.argv[2] ?? ''
const writes = await (url.startsWith('redis:') ? bareRedis(url) : barePostgres(url))
const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const asked = {
  resultType: 'input_required',
  inputRequests: {
    name: { method: 'elicitation/create', params: { mode: 'form', message: 'Your name?', requestedSchema: form } },
  },
  requestState: 'x'.repeat(400),
}

/** @param {any} params */
async function answer({ inputResponses, requestState }) {
  if (!requestState) return asked
  await writes.cycle()
  return { resultType: 'complete', content: [{ type: 'text', text: `hello ${inputResponses.name.content.name}` }] }
}

const server = createServer((req, res) => {
  /** @type {Buffer[]} */
  const chunks = []
  req.on('data', chunk => chunks.push(chunk))
  req.on('end', async () => {
    const { id, params } = JSON.parse(Buffer.concat(chunks).toString())
    const body = JSON.stringify({ jsonrpc: '2.0', id, result: await answer(params) })
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    res.end(body)
  })
})
listen(server)
