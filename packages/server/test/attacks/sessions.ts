// What a client of 2025 can do to another's session, and what anybody can do to a task.
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Family } from './attack.js'
import { type OverHttp, openSession, overHttp, type Session, told, toldAll } from './over-http.js'

interface Scene extends OverHttp {
  readonly alice: Session
  readonly bob: Session
  /** Of the question that Alice's client was sent. */
  readonly askId: string | number
  /** What Alice's client got in the end. */
  readonly result: Promise<string>
  readonly answer: (action: string) => Promise<unknown>
}

/** Alice's client was pushed a question on the stream of her call. */
async function whileAliceIsAsked(attack: (scene: Scene) => Promise<string>): Promise<string> {
  const scene = await overHttp(server => {
    server.tool('pay', {}, async (_input, ctx) => ((await ctx.confirm('Pay?')) ? 'paid' : 'not paid'))
  })
  const [alice, bob] = [await openSession(scene, 'alice'), await openSession(scene, 'bob')]
  const stream = await callOf(scene, alice)
  const answer = (action: string) => alice.post({ jsonrpc: '2.0', id: stream.askId, result: { action, content: {} } })
  const got = await attack({ ...scene, alice, bob, askId: stream.askId, result: stream.result, answer })
  await answer('decline')
  const result = await stream.result
  if (result !== 'not paid') throw new Error(`Alice’s call ended with: ${result}`)
  return got
}

/** Alice's call, read as far as its question. */
async function callOf({ url }: OverHttp, { id }: Session) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'x-user': 'alice',
    'mcp-session-id': id,
    'mcp-protocol-version': '2025-11-25',
  }
  const request = httpRequest(url, { method: 'POST', headers })
  request.end(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'pay' } }))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.setEncoding('utf8')
  let text = ''
  const asked = new Promise<string | number>(resolve => {
    response.on('data', chunk => {
      text += chunk
      const [, ask] = /^data: (\{.*elicitation\/create.*)$/m.exec(text) ?? []
      if (ask !== undefined) resolve(JSON.parse(ask).id)
    })
  })
  const ended = once(response, 'end')
  const result = ended.then(() => /"text":"([^"]*)"/.exec(text)?.[1] ?? text)
  return { askId: await asked, result }
}

export const sessions: Family = {
  family: 'A 2025 session',
  attacks: [
    {
      attack: 'Bob sends a request, a notification and an answer with the id of Alice’s session',
      run: () =>
        whileAliceIsAsked(async ({ alice, askId }) => {
          const bob = { 'x-user': 'bob' }
          return toldAll([
            await alice.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, bob),
            await alice.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }, bob),
            await alice.post({ jsonrpc: '2.0', id: askId, result: { action: 'accept', content: {} } }, bob),
          ])
        }),
    },
    {
      attack: 'Bob ends Alice’s session, and opens its stream',
      run: () =>
        whileAliceIsAsked(async ({ alice, send }) => {
          const headers = { accept: 'text/event-stream', 'mcp-session-id': alice.id, 'x-user': 'bob' }
          return toldAll([await send(undefined, headers, 'DELETE'), await send(undefined, headers, 'GET')])
        }),
    },
    {
      attack: 'Bob answers, in his own session, the question that Alice was asked',
      run: () =>
        whileAliceIsAsked(async ({ bob, askId }) => {
          const { status } = await bob.post({ jsonrpc: '2.0', id: askId, result: { action: 'accept', content: {} } })
          return `${status}, and Alice’s question stays open`
        }),
    },
    {
      attack: 'Bob cancels, in his own session, the id of Alice’s request',
      run: () =>
        whileAliceIsAsked(async ({ bob }) => {
          const params = { requestId: 7 }
          const { status } = await bob.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
          return `${status}, and Alice’s call runs on`
        }),
    },
    {
      attack: 'Bob takes up Alice’s stream in his session, by its event ids (Last-Event-ID)',
      run: () =>
        whileAliceIsAsked(async ({ bob, send }) => {
          const own = { accept: 'text/event-stream', 'mcp-session-id': bob.id, 'x-user': 'bob' }
          // Streams are counted in each session: Alice's call is her first, or second.
          const ids = ['1-0', '2-0', '3-0', '0-99', '__proto__-1', '1-1e999', '-1--1']
          const replies = []
          for (const id of ids) replies.push(await send(undefined, { ...own, 'last-event-id': id }, 'GET'))
          if (replies.some(({ text }) => text.includes('Pay?'))) throw new Error('Bob read Alice’s question.')
          return toldAll(replies)
        }),
    },
    {
      attack: 'an answer is sent twice: a no, and then a yes',
      run: () =>
        whileAliceIsAsked(async ({ alice, askId, answer, result }) => {
          await answer('decline')
          const { status } = await alice.post({ jsonrpc: '2.0', id: askId, result: { action: 'accept', content: {} } })
          return `${status}, and the call ended with: ${await result}`
        }),
    },
    {
      attack: 'one id for two requests, after each other and in one batch',
      run: () =>
        whileAliceIsAsked(async scene => {
          const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }
          const older = await openSession(scene, 'alice', '2025-03-26')
          return toldAll([await scene.alice.post(ping), await older.post([ping, ping])])
        }),
    },
    {
      attack: 'a batch of 10,000 requests, in the one revision that has batches',
      run: () =>
        whileAliceIsAsked(async scene => {
          const older = await openSession(scene, 'alice', '2025-03-26')
          const batch = Array.from({ length: 10_000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
          return told(await older.post(batch))
        }),
    },
  ],
}
