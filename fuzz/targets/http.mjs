// The HTTP endpoint of a server, in both eras: requests, answers, headers, bodies and the bytes of the transport itself.
import { createServer } from 'beckon'
import { texts } from '../hostile.mjs'
import { finding, judgeRpc } from '../judge.mjs'
import { garbled, garbledBytes, mutatedText } from '../mutate.mjs'
import { httpSender, sendBytes } from '../over-http.mjs'
import {
  accepted,
  addTools,
  expectText,
  initialize,
  json,
  legacyMessages,
  modernHeaders,
  modernMessage,
  modernMessages,
} from '../shop.mjs'

/** @typedef {import('../driver.mjs').Target} Target */
/** @typedef {import('../../faults/random.mjs').Random} Random */
/** @typedef {import('../shop.mjs').Message} Message */

/** @type {Target} */
export const http = {
  share: 3,
  atOnce: 16,
  honestEvery: 200,
  async open(findings) {
    const server = createServer({
      name: 'shop',
      version: '1.0.0',
      person: 'unchecked',
      // What is bounded is full soon, so that what grows on is something else.
      limits: { suspended: 200, suspendedPerPrincipal: 100, replies: 50, rounds: 500, anonymous: 100, handles: 100 },
      maxSessions: 100,
      identify: request => request.headers.get('x-user') ?? undefined,
      onError: error => findings(`onError: ${error instanceof Error ? error.stack : String(error)}`),
    })
    addTools(server)
    const { url } = await server.listen({ port: 0 })
    const sender = httpSender({ isKept: true })
    const own = httpSender({ isKept: false })
    const known = { state: 'AAAA', askId: 'a', taskId: 't', session: 's' }

    /** @param {Message} message @param {Record<string, string>} [headers] */
    async function post(message, headers = {}) {
      const reply = await own.send(url, { headers: { ...json, ...headers }, body: JSON.stringify(message) })
      if (reply === undefined) throw new Error('the connection was cut')
      const text = reply.text.startsWith('{') ? reply.text : (reply.text.match(/^data: ?(\{.*)$/m)?.[1] ?? '{}')
      return { ...reply, message: JSON.parse(text) }
    }
    /** @param {string} method @param {Record<string, unknown>} params */
    const modern = (method, params) => {
      const message = modernMessage(method, params)
      return post(message, { ...modernHeaders(message), 'x-user': 'honest' })
    }

    return {
      async attack(random) {
        const isModern = random.next() < 0.6
        const valid = isModern ? modernMessages(known) : legacyMessages()
        const message = random.pick(valid)
        const headers = {
          ...json,
          ...(isModern
            ? modernHeaders(message)
            : { 'mcp-session-id': known.session, 'mcp-protocol-version': '2025-11-25' }),
          ...(random.next() < 0.5 && { 'x-user': 'mallory' }),
        }
        if (random.next() < 0.1) spoil(random, headers)
        const body = mutatedText(random, message, valid)
        if (random.next() < 0.03) return attackTransport(random, Number(new URL(url).port), headers, body)
        const method = random.next() < 0.96 ? 'POST' : random.pick(['GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD', 'PATCH'])
        const sent = random.next() < 0.02 ? garbledBytes(random, Buffer.from(body)) : body
        const where = random.next() < 0.98 ? url : url + garbled(random, '/x?y=z').replace(/[^!-~]/g, '')
        judgeRpc(
          await sender.send(where, { method, headers, body: sent }),
          `${method} ${JSON.stringify(headers)} ${body}`,
        )
      },
      async honest(nth) {
        const asked = (await modern('tools/call', { name: 'order', arguments: { item: `tea ${nth}` } })).message.result
        const [id = ''] = Object.keys(asked.inputRequests)
        const inputResponses = { [id]: accepted }
        const retry = {
          name: 'order',
          arguments: { item: `tea ${nth}` },
          requestState: asked.requestState,
          inputResponses,
        }
        const told = (await modern('tools/call', retry)).message
        expectText(told, `tea ${nth} for Ada, 36, pro, a, true`)
        const opened = await post(initialize, { 'x-user': 'honest' })
        const session = String(opened.headers['mcp-session-id'])
        const echo = {
          jsonrpc: '2.0',
          id: 2,
          method: 'tools/call',
          params: { name: 'echo', arguments: { text: `n${nth}` } },
        }
        const inSession = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25', 'x-user': 'honest' }
        expectText((await post(echo, inSession)).message, `n${nth}`)
        await own.send(url, { method: 'DELETE', headers: inSession })
        // What the attacker goes on with: a call, a task and a session that are their own.
        const theirs = modernMessage('tools/call', { name: 'order', arguments: { item: 'tea' } })
        const { result } = (await post(theirs, { ...modernHeaders(theirs), 'x-user': 'mallory' })).message
        const later = modernMessage('tools/call', { name: 'later', arguments: { nth } })
        const task = (await post(later, { ...modernHeaders(later), 'x-user': 'mallory' })).message.result
        known.taskId = task.taskId
        known.state = result.requestState
        known.askId = Object.keys(result.inputRequests)[0] ?? ''
        if (typeof task.taskId !== 'string') throw new Error(JSON.stringify(task))
        known.session = String((await post(initialize, { 'x-user': 'mallory' })).headers['mcp-session-id'])
      },
      async close() {
        sender.close()
        own.close()
        await server.close()
      },
    }
  },
}

/** @param {Random} random @param {Record<string, string>} headers */
function spoil(random, headers) {
  const name = random.pick([
    ...Object.keys(headers),
    'origin',
    'host',
    'last-event-id',
    'content-encoding',
    'cookie',
    'forwarded',
  ])
  if (random.next() < 0.3) delete headers[name]
  else headers[name] = random.next() < 0.5 ? garbled(random, headers[name] ?? 'x') : random.pick(texts)
}

/**
 * What no HTTP client writes.
 * @param {Random} random
 * @param {number} port
 * @param {Record<string, string>} headers
 * @param {string} body
 */
async function attackTransport(random, port, headers, body) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const length = random.next() < 0.7 ? Buffer.byteLength(body) : random.pick([-1, 0, 1e9, 'x', '1, 2'])
  const framing = random.next() < 0.8 ? `content-length: ${length}` : 'transfer-encoding: chunked'
  const head = ['POST /mcp HTTP/1.1', `host: 127.0.0.1:${port}`, ...lines, framing, '', ''].join('\r\n')
  const bytes =
    random.next() < 0.5 ? Buffer.from(garbled(random, head) + body) : garbledBytes(random, Buffer.from(head + body))
  const text = await sendBytes(port, bytes)
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 200)
  // 501 is Node's own for an encoding that it does not know.
  if (status >= 500 && status !== 501) throw finding(`status ${status}`, text, bytes.toString('latin1'))
}
