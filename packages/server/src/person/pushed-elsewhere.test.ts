// A question that is pushed on one node, and answered at another: the answer comes by mail, which may be late.
import { expect, it, onTestFinished } from 'vitest'
import { type Clock, createServer, systemClock } from '../index.js'
import { memoryStore, type Store } from '../store/index.js'

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

async function listening(store: Store, clock: Clock): Promise<string> {
  const server = createServer({ name: 'shop', version: '1', store, clock, keys: 'k'.repeat(32) })
  onTestFinished(() => server.close())
  server.tool('drop', { annotations: { destructive: true } }, async (_input, ctx) =>
    ctx.json(await ctx.confirm.outcome('?')),
  )
  return (await server.listen({ port: 0 })).url
}

/** The messages of an event stream, as they come. */
async function* messagesOf(response: Response): AsyncGenerator<Record<string, unknown>> {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1]
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}

it.each([
  ['at once', 0, { action: 'cancel', why: 'no-person' }],
  ['by a person in their own time', 600, { action: 'accept' }],
])('counts from when it was brought, and not from when its mail is read: %s', async (_when, afterMs, expected) => {
  let aheadMs = 0
  // However long the machine takes, no time passes but what the test says.
  const startedAt = systemClock.now()
  const clock = { ...systemClock, now: () => startedAt + aheadMs }
  const store = { ...memoryStore(), shared: true, close: async () => {} }
  // It hears no hints, and looks for its mail once a second.
  const deaf = await listening({ ...store, subscribe: async () => async () => {} }, clock)
  const other = await listening(store, clock)
  const post = (url: string, message: object, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const clientInfo = { name: 'c', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo }
  const begun = await post(deaf, { id: 1, method: 'initialize', params })
  await begun.text()
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
  const called = await post(deaf, { id: 2, method: 'tools/call', params: { name: 'drop', arguments: {} } }, session)
  let result: unknown
  for await (const message of messagesOf(called)) {
    if (message.method === 'elicitation/create') {
      aheadMs = afterMs
      const answer = { id: message.id, result: { action: 'accept', content: {} } }
      expect((await post(other, answer, session)).status).toBe(202)
    } else if (message.id === 2) result = message.result
  }
  expect(result).toMatchObject({ structuredContent: expected })
})
