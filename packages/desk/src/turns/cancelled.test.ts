// A call that waits for an approval, and is cancelled: nobody is asked any more, wherever they were.
import { createServer, type ServerOptions } from 'beckon'
import { createTestClient, type TestWire } from 'beckon/test'
import { afterEach, describe, expect, it } from 'vitest'
import { bearerAccess, createDesk } from '../index.js'
import { type NotifyChannel, notify } from '../notify/index.js'

const tokens = { 'token-of-ann-123456': { principal: 'ann' }, 'token-of-bob-123456': { principal: 'bob' } }
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function setUp(wire: TestWire, options: Partial<ServerOptions>) {
  const told: string[] = []
  const chat: NotifyChannel = {
    name: 'chat',
    async send({ principal }, { message }) {
      told.push(`${principal}: ${message}`)
      return undefined
    },
    async withdraw({ principal }) {
      told.push(`${principal}: no more`)
    },
  }
  const desk = createDesk({ access: bearerAccess({ tokens }), notify: notify({ channels: [chat] }) })
  const { url } = await desk.listen()
  const server = createServer({ name: 'shop', version: '1', desk, wait: 'hold', person: 'unchecked', ...options })
  const runs: string[] = []
  const approval = { audience: { principals: ['bob'] } }
  server.tool('refund', { approval, task: 'optional' }, async (_input, ctx) => {
    const { action } = await ctx.confirm.outcome('Refund 40?')
    if (action === 'accept') runs.push('refunded')
    return action
  })
  const client = createTestClient(server, { wire, principal: 'ann', answer: () => true })
  closing.push(
    () => desk.close(),
    () => server.close(),
    () => client.close(),
  )
  const send = (path: string, body?: object) =>
    fetch(`${url}api/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: 'Bearer token-of-bob-123456', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const listed = async () => ((await (await send('asks')).json()) as { asks: { session: string; id: string }[] }).asks
  // Whoever is told was here before.
  await send('me')
  return { desk, client, told, runs, send, listed }
}

const patience = { timeout: 20_000 }

describe.each<{ wire: TestWire; options: Partial<ServerOptions> }>([
  { wire: 'push', options: { whenGone: 'cancel' } },
  { wire: 'rounds', options: { whenGone: 'cancel' } },
  { wire: 'tasks', options: {} },
])('a call that waits for an approval on $wire', ({ wire, options }) => {
  it('takes its ask away from the desk, the audit and every channel when it is cancelled', async () => {
    const { desk, client, told, runs, send, listed } = await setUp(wire, options)
    const cancel = new AbortController()
    const result = client.callTool('refund', {}, { signal: cancel.signal })
    const gone = expect(result).rejects.toThrow()
    await expect.poll(listed, patience).toHaveLength(1)
    await expect.poll(() => told, patience).toEqual(['bob: Refund 40?'])
    const [ask] = await listed()
    cancel.abort(new Error('Enough.'))
    await gone
    await expect.poll(listed, patience).toEqual([])
    await expect.poll(() => told, patience).toEqual(['bob: Refund 40?', 'bob: no more'])
    const path = `asks/${[ask?.session, ask?.id].map(String).map(encodeURIComponent).join('/')}`
    expect((await send(`${path}/answer`, {})).status).toBe(409)
    expect(await (await send(path)).json()).toMatchObject({ status: 'ended', ended: { event: 'withdrawn' } })
    const events = (await desk.audit.query()).map(({ event }) => event)
    expect(events.filter(event => event === 'withdrawn')).toHaveLength(1)
    expect(events).not.toContain('accepted')
    expect(runs).toEqual([])
  })
})

it.each<TestWire>(['push', 'rounds'])(
  'a call on %s leaves its ask to whoever calls the same again, unless its server says otherwise',
  async wire => {
    const { client, told, runs, send, listed } = await setUp(wire, {})
    const cancel = new AbortController()
    const result = client.callTool('refund', {}, { signal: cancel.signal })
    const gone = expect(result).rejects.toThrow()
    await expect.poll(listed, patience).toHaveLength(1)
    const [ask] = await listed()
    cancel.abort(new Error('Enough.'))
    await gone
    const again = client.callTool('refund')
    const path = `asks/${[ask?.session, ask?.id].map(String).map(encodeURIComponent).join('/')}`
    expect((await send(`${path}/answer`, {})).status).toBe(200)
    expect((await again).content).toMatchObject([{ text: 'accept' }])
    expect(runs).toEqual(['refunded'])
    expect(told.filter(line => line === 'bob: Refund 40?')).toHaveLength(1)
  },
)
