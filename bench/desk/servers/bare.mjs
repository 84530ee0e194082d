// The floor: one insert and one conditional update behind a bare `ws`, with the frames that the live protocol has, and at
// /mcp a bare node:http. It checks nothing, knows no session and no turn, and runs on one node.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { answerCommands } from '../../commands.mjs'
import { Cycles } from '../load/cycles.mjs'
import { question } from '../load/question.mjs'
import { writesFor } from '../writes/writes-for.mjs'

const { url } = JSON.parse(process.argv[2] ?? '{}')
const writes = await writesFor(url)
/** @type {Map<string, import('ws').WebSocket>} */
const sockets = new Map()
/** By the id of the ask. @type {Map<string, () => void>} */
const waiting = new Map()
let serverSeq = 0

/** @param {string} person */
async function ask(person) {
  const id = randomUUID()
  await writes.ask(id)
  const now = Date.now()
  const request = { id, message: question }
  const about = { session: id, server: 'shop', title: 'Deploys', askedAt: now, expiresAt: now + 86_400_000 }
  const answered = new Promise(resolve => waiting.set(id, () => resolve(undefined)))
  tell(person, { type: 'asks/asked', ask: { ...about, request } })
  await answered
}

/**
 * @param {string} person
 * @param {any} message
 */
async function receive(person, { id, method, params }) {
  if (method !== 'dispatchAction') {
    const snapshot = { resource: params.channel, state: { asks: [] }, fromSeq: serverSeq }
    sockets.get(person)?.send(JSON.stringify({ jsonrpc: '2.0', id, result: { serverSeq, snapshots: [], snapshot } }))
    return
  }
  const { requestId, response } = params.action
  await writes.answer(requestId)
  const ending = { response, at: Date.now(), by: person }
  tell(person, { type: 'asks/ended', session: requestId, requestId, ending })
  waiting.get(requestId)?.()
  waiting.delete(requestId)
}

/**
 * @param {string} person
 * @param {object} action
 */
function tell(person, action) {
  const params = { channel: 'beckon-asks://', action, serverSeq: ++serverSeq }
  sockets.get(person)?.send(JSON.stringify({ jsonrpc: '2.0', method: 'action', params }))
}

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', async () => {
    const { id } = JSON.parse(Buffer.concat(chunks).toString())
    await ask(String(request.headers['x-person']))
    const result = { resultType: 'complete', content: [{ type: 'text', text: 'deployed' }] }
    const body = JSON.stringify({ jsonrpc: '2.0', id, result })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
})
new WebSocketServer({ server }).on('connection', (socket, { headers }) => {
  const person = String(headers.authorization).replace('Bearer ', '')
  sockets.set(person, socket)
  socket.on('message', data => receive(person, JSON.parse(String(data))))
})

/** @type {string[]} */
let people = []
let asked = 0
const cycles = new Cycles(() => ask(people[asked++ % people.length] ?? ''))
answerCommands({
  begin(/** @type {{ atOnce: number, people: string[] }} */ options) {
    people = options.people
    return cycles.begin(options.atOnce)
  },
  mark: () => cycles.mark(),
  count: () => ({ count: cycles.count }),
  take: () => cycles.take(),
  stop: () => cycles.stop(),
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.({ url: `http://127.0.0.1:${address?.port}/` })
})
