// An application of one action, which confirms and says so. As little work as possible: what is measured is the gateway.
// `node app.mjs http://127.0.0.1:3000/mcp` says its claim code.

import { WebSocket } from 'ws'

const gateway = new URL('/beckon/app', process.argv[2])
gateway.protocol = 'ws:'
const socket = new WebSocket(gateway, 'tesseron-app')
const schema = { type: 'object', properties: {}, required: [] }
/** @type {Map<string, { id: unknown, invocationId: string }>} */
const asking = new Map()
let asks = 0

/** @param {object} message */
const send = message => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))

socket.on('open', () => {
  const action = { name: 'clear', description: '', inputSchema: { type: 'object' }, annotations: {}, timeoutMs: 60_000 }
  const app = { id: 'bench', name: 'Bench', origin: 'bench' }
  const capabilities = { streaming: true, subscriptions: true, sampling: true, elicitation: true }
  const params = { protocolVersion: '1.2.0', app, actions: [action], resources: [], capabilities }
  send({ id: 'hello', method: 'tesseron/hello', params })
})
socket.on('message', data => {
  const { id, method, params, result } = JSON.parse(String(data))
  if (id === 'hello') process.send?.({ url: result.claimCode })
  else if (method === 'actions/invoke') {
    const { invocationId } = params
    const ask = `ask-${++asks}`
    asking.set(ask, { id, invocationId })
    send({ id: ask, method: 'elicitation/request', params: { invocationId, question: 'Clear?', schema } })
  } else if (asking.has(id)) {
    const invoked = asking.get(id)
    asking.delete(id)
    const output = result?.action === 'accept' ? 'cleared' : 'kept'
    send({ id: invoked?.id, result: { invocationId: invoked?.invocationId, output } })
  }
})
process.on('disconnect', () => process.exit())
