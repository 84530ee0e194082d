// What is behind a gate, by methods that are not the call of a tool.
import type { BeckonServer, Middleware } from '../../src/index.js'
import { bearer } from '../../src/middleware/bearer/bearer.js'
import { confirmed } from '../../src/middleware/confirmed/confirmed.js'
import { guard } from '../../src/middleware/guard/guard.js'
import type { Family } from './attack.js'
import { type OverHttp, openSession, overHttp, type Reply } from './over-http.js'

const customers = ['Ada Lovelace', 'Alan Turing']

/** A prompt and a resource whose variables are completed with customers' names. */
function withCustomers(server: BeckonServer, ...gates: Middleware[]): void {
  const complete = () => customers
  server.prompt('letter', { use: gates, args: { to: { complete } } }, ({ to }) => `Dear ${to}`)
  server.resource(
    'customers://{name}',
    { use: gates, complete: { name: complete } },
    ({ vars }) => `About ${vars.name}`,
  )
}

const references = [
  { ref: { type: 'ref/prompt', name: 'letter' }, argument: { name: 'to', value: 'A' } },
  { ref: { type: 'ref/resource', uri: 'customers://{name}' }, argument: { name: 'name', value: 'A' } },
]

/** What a stranger got of each, over both eras. */
async function completions(scene: OverHttp): Promise<string> {
  const session = await openSession(scene, 'stranger')
  const replies: Reply[] = []
  for (const params of references) {
    replies.push(await scene.modern(params, { method: 'completion/complete' }))
    replies.push(await session.post({ jsonrpc: '2.0', id: replies.length, method: 'completion/complete', params }))
  }
  if (replies.some(({ text }) => text.includes('Ada'))) throw new Error('It got names of customers.')
  return [...new Set(replies.map(({ message }) => `error ${message.error?.code}: ${message.error?.message}`))].join(
    '; ',
  )
}

/** Whether someone who subscribed is told of a change. */
async function isTold(scene: OverHttp, uri: string, headers: Record<string, string> = {}): Promise<boolean> {
  const session = await openSession(scene, 'stranger')
  await session.post({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } }, headers)
  const own = { 'x-user': 'stranger', 'mcp-session-id': session.id, accept: 'text/event-stream', ...headers }
  const old = await fetch(scene.url, { headers: own })
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { notifications: { resourceSubscriptions: [uri], toolsListChanged: true }, _meta }
  const modern = await fetch(scene.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'listening', method: 'subscriptions/listen', params }),
  })
  scene.server.updated(uri)
  // Comes after what is looked for, and is for everybody.
  setTimeout(() => scene.server.changed('tools'), 20)
  const texts = await Promise.all([old, modern].map(({ body }) => readUntil(body, 'tools/list_changed')))
  const told = texts.filter(text => text.includes('notifications/resources/updated')).length
  if (told === 1) throw new Error('The revisions differ.')
  return told > 0
}

async function readUntil(body: ReadableStream<Uint8Array> | null, end: string): Promise<string> {
  const reader = (body ?? new ReadableStream<Uint8Array>()).getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes(end)) {
    const { value, done } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return text
}

export const methods: Family = {
  family: 'Other methods',
  attacks: [
    {
      attack: 'a stranger completes the argument of a prompt, and of a resource, behind `server.use(bearer)`',
      run: async () => completions(await overHttp(server => withCustomers(server.use(bearer({ token: 'secret' }))))),
    },
    {
      attack: 'the same behind a `guard` that hides them',
      run: async () => completions(await overHttp(server => withCustomers(server, guard({ hidden: true })))),
    },
    {
      attack: 'the same behind `confirmed()`, where a person would have to be asked',
      run: async () => completions(await overHttp(server => withCustomers(server, confirmed('Show the customers?')))),
    },
    {
      attack: 'a stranger subscribes to a resource behind `server.use(bearer)`, or behind a `guard` that hides it',
      async run() {
        const behindBearer = await overHttp(server => withCustomers(server.use(bearer({ token: 'secret' }))))
        const behindGuard = await overHttp(server => withCustomers(server, guard({ hidden: true })))
        for (const scene of [behindBearer, behindGuard])
          if (await isTold(scene, 'customers://ada')) throw new Error('It was told of a change.')
        const token = { authorization: 'Bearer secret' }
        if (!(await isTold(behindBearer, 'customers://ada', token))) throw new Error('Who may read it was not told.')
        return 'not told of its changes; who may read it is'
      },
    },
  ],
}
