// The SDK's `Server` is the measure: a connection of 2025, and one over stdio in either era, answers as it does.
import { InMemoryTransport, Server, type Transport } from '@modelcontextprotocol/server'
import { serveStdio as serveWithSdk } from '@modelcontextprotocol/server/stdio'
import { createServer } from 'beckon'
import { expect, it, onTestFinished } from 'vitest'

type Reply = { readonly id?: unknown; readonly result?: object; readonly error?: { readonly code: number } }

const prefix = 'io.modelcontextprotocol/'
const envelope = { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: {} }
const later = { ...envelope, [`${prefix}protocolVersion`]: '2030-01-01' }
const client = { name: 'by hand', version: '1' }
const initialize = (protocolVersion: unknown, more: object = {}) => ({
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: client, ...more },
})

const capabilities = { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true }, logging: {} }

function serveOurs(transport: Transport): { close(): Promise<void> } {
  const server = createServer({ name: 'little', version: '1.2.3' })
  server.tool('ask', {}, async () => 'asked')
  return server.stdio({ transport })
}

/** The same server, by the SDK. */
function serveTheirs(transport: Transport): { close(): Promise<void> } {
  return serveWithSdk(
    () => {
      const server = new Server({ name: 'little', version: '1.2.3' }, { capabilities })
      server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'ask', inputSchema: { type: 'object' } }] }))
      return server
    },
    { transport },
  )
}

/** What comes back for each message, in turn; undefined where nothing does. */
async function repliesOf(
  serve: (transport: Transport) => { close(): Promise<void> },
  messages: readonly { readonly method: string; readonly params?: unknown }[],
): Promise<(Reply | undefined)[]> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const got: Reply[] = []
  near.onmessage = message => void got.push(message as Reply)
  await near.start()
  const serving = serve(far)
  onTestFinished(() => serving.close())
  const replies: (Reply | undefined)[] = []
  for (const [id, message] of messages.entries()) {
    await near.send({ jsonrpc: '2.0', id, ...message } as never)
    await expect.poll(() => got.some(reply => reply.id === id), { timeout: 2_000, interval: 5 }).toBe(true)
    replies.push(got.find(reply => reply.id === id))
  }
  return replies
}

const list = { method: 'tools/list', params: {} }
const modern = (method: string, params: object = {}, _meta: object = envelope) => ({
  method,
  params: { ...params, _meta },
})

it.each<[string, { readonly method: string; readonly params?: unknown }[]]>([
  ['a client of each version', [initialize('2025-11-25'), list, { method: 'ping' }]],
  ['an older version', [initialize('2024-11-05'), list]],
  ['a version that nobody knows', [initialize('1999-01-01'), list]],
  ['a later version, which has no initialize', [initialize('2026-07-28'), list]],
  ['an initialize without a version', [initialize(5), initialize('2025-06-18')]],
  ['an initialize without a client', [initialize('2025-06-18', { clientInfo: {} })]],
  ['odd capabilities', [initialize('2025-06-18', { capabilities: { elicitation: 5 } })]],
  ['an empty capability', [initialize('2025-06-18', { capabilities: { elicitation: {} } }), list]],
  ['a request before initialize', [list, initialize('2025-11-25')]],
  [
    'levels for logs',
    [
      initialize('2025-11-25'),
      { method: 'logging/setLevel', params: { level: 'info' } },
      { method: 'logging/setLevel', params: { level: 'loud' } },
      { method: 'logging/setLevel' },
    ],
  ],
  [
    'methods of the other era',
    [
      initialize('2025-11-25'),
      { method: 'server/discover' },
      { method: 'subscriptions/listen', params: { notifications: {} } },
      { method: 'tasks/update', params: {} },
      { method: 'no/such' },
    ],
  ],
  ['a probe, and then a session', [modern('server/discover'), initialize('2025-11-25'), list]],
  ['a probe, and then no session', [modern('server/discover'), modern('tools/list'), modern('server/discover')]],
  [
    'methods of sessions on 2026-07-28',
    [
      modern('tools/list'),
      modern('ping'),
      modern('initialize', initialize('2025-11-25').params),
      modern('logging/setLevel', { level: 'info' }),
      modern('resources/unsubscribe', { uri: 'a:b' }),
      initialize('2025-11-25'),
    ],
  ],
  ['a version that is not served', [modern('tools/list', {}, later), modern('tools/list')]],
  ['no envelope once it is of 2026-07-28', [modern('tools/list'), list]],
  [
    'a bad envelope',
    [
      modern('tools/list', {}, { [`${prefix}protocolVersion`]: '2026-07-28' }),
      modern('tools/list', {}, { ...envelope, [`${prefix}clientInfo`]: { name: 5 } }),
      modern('tools/list'),
      modern('tools/list', {}, { ...envelope, [`${prefix}logLevel`]: 'loud' }),
    ],
  ],
  [
    'a listener without a filter',
    [modern('subscriptions/listen'), modern('subscriptions/listen', { notifications: 5 })],
  ],
  [
    'a listener with an odd filter',
    [
      modern('subscriptions/listen', { notifications: { toolsListChanged: 'yes' } }),
      modern('subscriptions/listen', { notifications: { resourceSubscriptions: [5] } }),
    ],
  ],
])('answers %s as the SDK does', async (_what, messages) => {
  const [ours, theirs] = await Promise.all([repliesOf(serveOurs, messages), repliesOf(serveTheirs, messages)])
  expect(ours.map(outline)).toEqual(theirs.map(outline))
})

/** A reply, without what each of the two says in its own way. */
function outline(reply: Reply | undefined): object {
  // The SDK calls it an internal error when the parameters of what it answers itself are wrong.
  if (reply?.error !== undefined) return { error: reply.error.code === -32603 ? -32602 : reply.error.code }
  const {
    capabilities: _,
    tools,
    ...result
  } = (reply?.result ?? {}) as { capabilities?: object; tools?: { name: string }[] }
  return { result, tools: tools?.map(({ name }) => name) }
}
