// A server that sells tea, and what its clients say to it in both eras when they are right.
import { z } from 'zod'

/** @typedef {Record<string, unknown> & { method?: string, params?: Record<string, unknown> }} Message */

const prefix = 'io.modelcontextprotocol/'
export const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const capabilities = { elicitation: { form: {}, url: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } }
export const accepted = { action: 'accept', content: { name: 'Ada', age: 36, plan: 'pro', tags: ['a'], isNew: true } }

/** @param {import('beckon').BeckonServer} server */
export function addTools(server) {
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

export const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'c', version: '1' } },
}

/** @param {string} method @param {Record<string, unknown>} params @returns {Message} */
export function modernMessage(method, params) {
  const _meta = {
    [`${prefix}protocolVersion`]: '2026-07-28',
    [`${prefix}clientCapabilities`]: capabilities,
    [`${prefix}clientInfo`]: { name: 'c', version: '1' },
  }
  return { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
}

/** @param {Message} message @returns {Record<string, string>} */
export function modernHeaders({ method = '', params = {} }) {
  const named = params.name ?? params.uri ?? params.taskId
  return {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(named !== undefined && { 'mcp-name': String(named) }),
  }
}

/** @param {{ state: string, askId: string, taskId: string }} known */
export function modernMessages({ state, askId, taskId }) {
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
export function legacyMessages() {
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

/** @param {{ result?: { content?: { text?: string }[] } }} message @param {string} text */
export function expectText(message, text) {
  const got = message.result?.content?.[0]?.text
  if (got !== text) throw new Error(`${JSON.stringify(message)} where "${text}" is right`)
}
