// The floor for rounds: parse, seal, stringify, and no protocol beyond that.

import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { listen } from '../load/ready.mjs'

const key = createSecretKey(randomBytes(32))
const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }

/** @param {string} state */
function seal(state) {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  return Buffer.concat([iv, cipher.update(state), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** @param {string} sealed */
function open(sealed) {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
  decipher.setAuthTag(bytes.subarray(-16))
  return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
}

/** @param {any} params */
function answer({ inputResponses, requestState, arguments: args }) {
  if (!requestState) {
    const params = { mode: 'form', message: 'Your name?', requestedSchema: form }
    return {
      resultType: 'input_required',
      inputRequests: { name: { method: 'elicitation/create', params } },
      requestState: seal(JSON.stringify({ tool: 'ask', args, expiresAt: Date.now() + 3_600_000 })),
    }
  }
  const state = JSON.parse(open(requestState))
  if (state.expiresAt < Date.now()) throw new Error('expired')
  return { resultType: 'complete', content: [{ type: 'text', text: `hello ${inputResponses.name.content.name}` }] }
}

const server = createServer((req, res) => {
  /** @type {Buffer[]} */
  const chunks = []
  req.on('data', chunk => chunks.push(chunk))
  req.on('end', () => {
    const { id, params } = JSON.parse(Buffer.concat(chunks).toString())
    const body = JSON.stringify({ jsonrpc: '2.0', id, result: answer(params) })
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    res.end(body)
  })
})
listen(server)
