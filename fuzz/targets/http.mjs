// The HTTP endpoint of a server, in both eras: requests, answers, headers, bodies and the bytes of the transport itself.
import { createServer } from 'beckon'
import { z } from 'zod'
import { texts } from '../hostile.mjs'
import { finding, judgeRpc } from '../judge.mjs'
import { garbled, garbledBytes, mutatedText } from '../mutate.mjs'
import { httpSender, sendBytes } from '../over-http.mjs'

/** @typedef {import('../driver.mjs').Target} Target */
/** @typedef {import('../../faults/random.mjs').Random} Random */
/** @typedef {Record<string, unknown> & { method?: string, params?: Record<string, unknown> }} Message */

const prefix = 'io.modelcontextprotocol/'
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const capabilities = { elicitation: { form: {}, url: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } }
const accepted = { action: 'accept', content: { name: 'Ada', age: 36, plan: 'pro', tags: ['a'], isNew: true } }

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

/** @param {import('beckon').BeckonServer} server */
function addTools(server) {
  const form = z.object({
    name: z.string().min(1).max(80),
    age: z.number().int().min(0).max(150),
    plan: z.enum(['free', 'pro']),
    tags: z.array(z.enum(['a', 'b'])),
    isNew: z.boolean().default(false),
  })
  server.tool('order', { input: z.object({ item: z.string() }) }, async ({ item }, ctx) => {
    const who = await ctx.elicit({ question: `Who gets ${item}?`, schema: form })
    return who === null ? 'nobody' : `${item} for ${who.name}, ${who.age}, ${who.plan}, ${who.tags}, ${who.isNew}`
  })
  server.tool('echo', { input: z.object({ text: z.string() }) }, ({ text }) => text)
  server.tool('later', { task: 'optional' }, async (_input, ctx) => String(await ctx.confirm('Later?')))
  server.prompt(
    'greet',
    { args: { who: { complete: (/** @type {string} */ value) => [`${value}!`] } } },
    ({ who = 'you' }) => `Hello ${who}`,
  )
  server.resource('note://{id}', { complete: { id: value => [value] } }, ({ vars }) => `note ${vars.id}`)
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'c', version: '1' } },
}

/** @param {string} method @param {Record<string, unknown>} params @returns {Message} */
function modernMessage(method, params) {
  const _meta = {
    [`${prefix}protocolVersion`]: '2026-07-28',
    [`${prefix}clientCapabilities`]: capabilities,
    [`${prefix}clientInfo`]: { name: 'c', version: '1' },
  }
  return { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
}

/** @param {Message} message @returns {Record<string, string>} */
function modernHeaders({ method = '', params = {} }) {
  const named = params.name ?? params.uri ?? params.taskId
  return {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(named !== undefined && { 'mcp-name': String(named) }),
  }
}

/** @param {{ state: string, askId: string, taskId: string }} known */
function modernMessages({ state, askId, taskId }) {
  const order = { name: 'order', arguments: { item: 'tea' } }
  return [
    modernMessage('tools/call', { name: 'echo', arguments: { text: 'hi' } }),
    modernMessage('tools/call', order),
    modernMessage('tools/call', { ...order, requestState: state, inputResponses: { [askId]: accepted } }),
    modernMessage('tools/call', { name: 'later', arguments: {}, task: { ttl: 60_000 } }),
    modernMessage('tools/list', { cursor: 'x' }),
    modernMessage('prompts/get', { name: 'greet', arguments: { who: 'Ada' } }),
    modernMessage('prompts/list', {}),
    modernMessage('resources/read', { uri: 'note://7' }),
    modernMessage('resources/templates/list', {}),
    modernMessage('completion/complete', {
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'who', value: 'A' },
      context: { arguments: {} },
    }),
    modernMessage('tasks/get', { taskId }),
    modernMessage('tasks/update', { taskId, inputResponses: { [askId]: accepted } }),
    modernMessage('tasks/cancel', { taskId }),
    modernMessage('server/discover', {}),
    modernMessage('subscriptions/listen', { toolsListChanged: true, resourceSubscriptions: ['note://7'] }),
    modernMessage('ping', {}),
  ]
}

/** @returns {Message[]} */
function legacyMessages() {
  const call = {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'order', arguments: { item: 'tea' }, _meta: { progressToken: 1 } },
  }
  return [
    initialize,
    call,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 3, method: 'tools/list', params: {} },
    { jsonrpc: '2.0', id: 4, method: 'prompts/get', params: { name: 'greet', arguments: { who: 'Ada' } } },
    { jsonrpc: '2.0', id: 5, method: 'resources/subscribe', params: { uri: 'note://7' } },
    { jsonrpc: '2.0', id: 2, result: accepted },
    { jsonrpc: '2.0', id: 2, error: { code: -1, message: 'no' } },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'x' } },
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
    { jsonrpc: '2.0', id: 6, method: 'logging/setLevel', params: { level: 'info' } },
    { jsonrpc: '2.0', id: 8, method: 'ping' },
  ]
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

/** @param {{ result?: { content?: { text?: string }[] } }} message @param {string} text */
function expectText(message, text) {
  const got = message.result?.content?.[0]?.text
  if (got !== text) throw new Error(`${JSON.stringify(message)} where "${text}" is right`)
}
