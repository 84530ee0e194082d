// The floor: two requests on node:http, one that writes an ask and one that writes its answer, and no protocol beyond that.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { listen } from '../../wires/load/ready.mjs'
import { barePostgres } from '../contenders/bare-postgres.mjs'
import { bareRedis } from '../contenders/bare-redis.mjs'

const url = process.argv[2] ?? ''
const writes = await (url.startsWith('redis:') ? bareRedis(url) : barePostgres(url))
const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const inputRequests = {
  name: { method: 'elicitation/create', params: { mode: 'form', message: 'Your name?', requestedSchema: form } },
}
/** With its id, a state is as long as one of Beckon's. */
const padding = 'x'.repeat(364)

/** @param {any} params */
async function answer({ inputResponses, requestState }) {
  if (!requestState) {
    const id = randomUUID()
    await writes.ask(id)
    return { resultType: 'input_required', inputRequests, requestState: `${id}${padding}` }
  }
  await writes.answer(requestState.slice(0, -padding.length))
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
