import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { littleServed } from '../../../test/little-served.js'
import {
  eventsOf,
  faces,
  legacyPost,
  openSession,
  type Raw,
  type RawSession,
  type SseEvent,
  serve,
} from '../../../test/raw-http.js'

const accepted = { action: 'accept', content: { name: 'Ada' } }
const dataOf = (event: SseEvent | undefined) => (event?.data ? JSON.parse(event.data) : undefined)

/** Asks for nothing but for the server to have seen what was sent before. */
async function settled(session: RawSession): Promise<void> {
  await (await session.post({ jsonrpc: '2.0', id: 'ping', method: 'ping' })).text()
}

async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, body } = await response
  await body?.cancel()
  return status
}

describe.each(faces)('a 2025 session over %s', face => {
  it('answers a quick call with JSON and one that asks with events', async () => {
    const session = await openSession(await serve(face))
    const quick = await session.call('hello', 'q')
    expect(quick.headers.get('content-type')).toBe('application/json')
    expect(await quick.json()).toEqual({
      jsonrpc: '2.0',
      id: 'q',
      result: { content: [{ type: 'text', text: 'hello' }] },
    })

    const response = await session.call('ask')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = eventsOf(response)
    const primed = await events.next()
    expect(primed).toMatchObject({ data: '', id: expect.any(String), retry: '1000' })
    const asked = dataOf(await events.next())
    expect(asked).toMatchObject({ method: 'elicitation/create', params: { message: 'Your name?' } })
    expect((await session.post({ jsonrpc: '2.0', id: asked.id, result: accepted })).status).toBe(202)
    const [last, ...none] = await events.rest()
    expect(none).toEqual([])
    expect(dataOf(last)).toMatchObject({ id: 1, result: { content: [{ text: expect.stringContaining('Ada') }] } })
  })

  it('primes no client that would choke on it', async () => {
    const session = await openSession(await serve(face), '2025-06-18')
    const events = eventsOf(await session.call('ask'))
    expect(dataOf(await events.next())).toMatchObject({ method: 'elicitation/create' })
    await events.cancel()
  })

  it.each(['2025-06-18', '2025-11-25'])(
    'goes on where the connection broke while a person was thinking (%s)',
    async version => {
      const raw = await serve(face)
      const session = await openSession(raw, version)
      const events = eventsOf(await session.call('ask'))
      let event = await events.next()
      if (event?.data === '') event = await events.next()
      const asked = dataOf(event)
      await events.cancel()

      await (await session.post({ jsonrpc: '2.0', id: asked.id, result: accepted })).text()
      await settled(session)
      const resumed = eventsOf(await session.get({ 'last-event-id': event?.id ?? '' }))
      const [result, ...none] = await resumed.rest()
      expect(none).toEqual([])
      expect(dataOf(result)).toMatchObject({ id: 1, result: { content: [{ text: expect.stringContaining('Ada') }] } })
      expect(raw.served.seen.at(-1)?.signal.aborted).toBe(false)
    },
  )

  it('sends again what was lost with the connection, and what comes then', async () => {
    const session = await openSession(await serve(face))
    const events = eventsOf(await session.call('ask'))
    const primed = await events.next()
    await events.next()
    await events.cancel()
    const resumed = eventsOf(await session.get({ 'last-event-id': primed?.id ?? '' }))
    const asked = dataOf(await resumed.next())
    expect(asked).toMatchObject({ method: 'elicitation/create' })
    await session.post({ jsonrpc: '2.0', id: asked.id, result: accepted })
    expect((await resumed.rest()).map(dataOf)).toMatchObject([{ id: 1, result: {} }])
    const again = eventsOf(await session.get({ 'last-event-id': primed?.id ?? '' }))
    expect((await again.rest()).map(dataOf)).toMatchObject([{ method: 'elicitation/create' }, { id: 1, result: {} }])
  })

  it('opens the GET stream of any revision at once', async () => {
    const session = await openSession(await serve(face), '2025-06-18')
    const stream = await session.get()
    expect(stream.status).toBe(200)
    await stream.body?.cancel()
  })

  it('takes a client that came back at its word, and drops its old connection', async () => {
    const raw = await serve(face)
    const session = await openSession(raw)
    const old = eventsOf(await session.get())
    const primed = await old.next()
    const now = eventsOf(await session.get({ 'last-event-id': primed?.id ?? '' }))
    expect(await old.rest()).toEqual([])
    raw.serving.notify.toolsChanged()
    expect(dataOf(await now.next())).toMatchObject({ method: 'notifications/tools/list_changed' })
    await now.cancel()
  })

  it('gives ids that lose nothing to a client that opened its GET stream late', async () => {
    const raw = await serve(face)
    const session = await openSession(raw)
    raw.serving.notify.toolsChanged()
    raw.serving.notify.promptsChanged()
    await settled(session)
    const events = eventsOf(await session.get())
    const first = await events.next()
    expect(dataOf(first)).toMatchObject({ method: 'notifications/tools/list_changed' })
    await events.cancel()
    const again = eventsOf(await session.get({ 'last-event-id': first?.id ?? '' }))
    expect(dataOf(await again.next())).toMatchObject({ method: 'notifications/prompts/list_changed' })
    await again.cancel()
  })

  it('answers with an error where a result is no JSON', async () => {
    const session = await openSession(await serve(face))
    const { result, error } = await (await session.call('odd')).json()
    expect([result, error]).toEqual([undefined, { code: -32603, message: 'Internal error' }])
  })

  it('ends a call that its client cancelled, and withdraws its question', async () => {
    const raw = await serve(face)
    const session = await openSession(raw)
    const aborted = raw.served.aborted('ask')
    const events = eventsOf(await session.call('ask', 5))
    const primed = await events.next()
    const asked = dataOf(await events.next())
    await session.post({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 5, reason: 'enough' },
    })
    await aborted
    const rest = (await events.rest()).map(dataOf)
    expect(rest).toMatchObject([{ method: 'notifications/cancelled', params: { requestId: asked.id } }])
    expect(await statusOf(session.get({ 'last-event-id': primed?.id ?? '' }))).toBe(400)
  })

  it('hands a client error on to the answerer', async () => {
    const session = await openSession(await serve(face))
    const events = eventsOf(await session.call('ask'))
    await events.next()
    const asked = dataOf(await events.next())
    await session.post({ jsonrpc: '2.0', id: asked.id, error: { code: -32601, message: 'what?' } })
    expect((await events.rest()).map(dataOf)).toMatchObject([{ id: 1, error: { code: -32601 } }])
  })

  it('has one GET stream, for changes', async () => {
    const raw = await serve(face)
    const session = await openSession(raw)
    const events = eventsOf(await session.get())
    expect(await events.next()).toMatchObject({ data: '', retry: '1000' })
    raw.serving.notify.toolsChanged()
    expect(dataOf(await events.next())).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect(await statusOf(session.get())).toBe(409)

    raw.serving.notify.resourceUpdated('note://a')
    await (
      await session.post({ jsonrpc: '2.0', id: 8, method: 'resources/subscribe', params: { uri: 'note://a' } })
    ).text()
    raw.serving.notify.resourceUpdated('note://a')
    const updated = await events.next()
    expect(dataOf(updated)).toMatchObject({ method: 'notifications/resources/updated', params: { uri: 'note://a' } })

    await events.cancel()
    raw.serving.notify.promptsChanged()
    raw.serving.notify.resourcesChanged()
    await settled(session)
    const again = eventsOf(await session.get({ 'last-event-id': updated?.id ?? '' }))
    expect(dataOf(await again.next())).toMatchObject({ method: 'notifications/prompts/list_changed' })
    expect(dataOf(await again.next())).toMatchObject({ method: 'notifications/resources/list_changed' })
    await again.cancel()
  })

  it('ends with DELETE, and aborts what runs in it', async () => {
    const raw = await serve(face)
    const session = await openSession(raw)
    const aborted = raw.served.aborted('wait')
    const began = raw.served.began('wait')
    const call = session.call('wait')
    await began
    expect(await statusOf(raw.fetch({ method: 'DELETE', headers: session.headers }))).toBe(200)
    await aborted
    expect(await (await call).text()).toBe('')
    expect(await statusOf(session.call('hello'))).toBe(404)
    expect(await statusOf(session.get())).toBe(404)
    expect(await statusOf(raw.fetch({ method: 'DELETE', headers: session.headers }))).toBe(404)
  })

  it('refuses what is not for it', async () => {
    const raw = await serve(face)
    const session = await openSession(raw)
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expect(await statusOf(raw.fetch(legacyPost(ping)))).toBe(400)
    expect(await statusOf(raw.fetch(legacyPost(ping, { 'mcp-session-id': 'made-up' })))).toBe(404)
    expect(await statusOf(session.post(ping, { 'mcp-protocol-version': '2024-01-01' }))).toBe(400)
    expect(await statusOf(session.post(ping, { accept: 'application/json' }))).toBe(406)
    expect(await statusOf(session.get({ accept: 'application/json' }))).toBe(406)
    expect(await statusOf(session.get({ 'last-event-id': 'nonsense' }))).toBe(400)
    expect(await statusOf(session.get({ 'last-event-id': '99-1' }))).toBe(400)
    expect(await statusOf(session.post([ping]))).toBe(400)
    expect(await statusOf(session.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }))).toBe(400)
    expect(await statusOf(session.post({ jsonrpc: '2.0', id: 1, result: 5 }))).toBe(400)
    expect(await statusOf(session.post({ jsonrpc: '2.0', id: {}, method: 'ping' }))).toBe(400)
    expect(await statusOf(session.post({ jsonrpc: '2.0', id: 77, result: {} }))).toBe(202)
    expect(await statusOf(session.post(ping))).toBe(200)
  })

  it('refuses an event id that it never gave, and leaves the stream to the one who reads it', async () => {
    const raw = await serve(face)
    const session = await openSession(raw)
    const events = eventsOf(await session.get())
    const [stream, number] = (await events.next())?.id?.split('-') ?? []
    for (const unknown of [0, Number(number) + 1, 999]) {
      const response = await session.get({ 'last-event-id': `${stream}-${unknown}` })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        error: { code: -32000, message: expect.stringContaining('unknown Last-Event-ID') },
      })
    }
    raw.serving.notify.toolsChanged()
    expect(dataOf(await events.next())).toMatchObject({ method: 'notifications/tools/list_changed' })
    await events.cancel()
  })

  it('refuses an id that is in use', async () => {
    const raw = await serve(face)
    const session = await openSession(raw)
    const began = raw.served.began('hold')
    const call = session.call('hold', 3)
    await began
    expect(await statusOf(session.call('hello', 3))).toBe(400)
    raw.served.release()
    expect(await (await call).json()).toMatchObject({ id: 3, result: { content: [{ text: 'held' }] } })
  })

  it('takes a batch where the revision has them', async () => {
    const session = await openSession(await serve(face), '2025-03-26')
    const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'hello' } })
    const response = await session.post([
      call(1),
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      call(2),
    ])
    const messages = (await eventsOf(response).rest()).map(dataOf)
    expect(messages.map(message => message.id).sort()).toEqual([1, 2])
    expect(await statusOf(session.post([{ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }]))).toBe(202)
  })

  it('has no elicitation before 2025-06-18', async () => {
    const session = await openSession(await serve(face), '2025-03-26')
    expect(await (await session.call('ask')).json()).toMatchObject({ result: { content: [{ text: 'cannot ask' }] } })
  })

  it('is of whoever opened it', async () => {
    const identify = (request: Request) => request.headers.get('authorization') ?? undefined
    const raw = await serve(face, littleServed({ identify }))
    const session = await openSession(raw, '2025-11-25', { authorization: 'ada' })
    expect(await statusOf(session.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { authorization: 'bob' }))).toBe(404)
    expect(await statusOf(session.get({ authorization: 'bob' }))).toBe(404)
    expect(await statusOf(raw.fetch({ method: 'DELETE', headers: { ...session.headers, authorization: 'bob' } }))).toBe(
      404,
    )
    expect(await statusOf(session.call('hello'))).toBe(200)
    expect(raw.served.seen).toMatchObject([{ principal: 'ada', sessionId: session.headers['mcp-session-id'] }])
  })
})

describe('bounds', () => {
  afterEach(() => void vi.useRealTimers())

  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  it('lets the session that was idle longest make room', async () => {
    const raw = await serve('fetch', littleServed(), { maxSessions: 2 })
    vi.useFakeTimers({ toFake: ['Date'] })
    const sessions: RawSession[] = []
    for (let count = 0; count < 2; count += 1) {
      vi.advanceTimersByTime(10)
      sessions.push(await openSession(raw))
    }
    vi.advanceTimersByTime(10)
    await settled(sessions[0] as RawSession)
    sessions.push(await openSession(raw))
    const statuses = sessions.map(session => statusOf(session.post(ping)))
    expect(await Promise.all(statuses)).toEqual([200, 404, 200])
  })

  it('lets no stranger push out someone who is known, and has strangers make room first', async () => {
    const identify = (request: Request) => request.headers.get('authorization') ?? undefined
    const raw = await serve('fetch', littleServed({ identify }), { maxSessions: 2 })
    const open = (who?: string) => openSession(raw, '2025-11-25', who === undefined ? {} : { authorization: who })
    const [ada, stranger] = [await open('ada'), await open()]
    const next = await open()
    expect(await Promise.all([ada, stranger, next].map(session => statusOf(session.post(ping))))).toEqual([
      200, 404, 200,
    ])
    const bob = await open('bob')
    expect(await Promise.all([ada, next, bob].map(session => statusOf(session.post(ping))))).toEqual([200, 404, 200])
    await expect(open()).rejects.toThrow('503')
    await open('carol')
  })

  it('takes a batch of so many messages, each with an id of its own, and no more', async () => {
    const session = await openSession(await serve('fetch'), '2025-03-26')
    const batch = (count: number) => Array.from({ length: count }, (_, id) => ({ ...ping, id }))
    expect(await eventsOf(await session.post(batch(100))).rest()).toHaveLength(100)
    expect(await statusOf(session.post(batch(101)))).toBe(400)
    expect(await statusOf(session.post([ping, ping]))).toBe(400)
    expect(await statusOf(session.post(batch(2)))).toBe(200)
  })

  it('has no room while every session is in use', async () => {
    const raw = await serve('fetch', littleServed(), { maxSessions: 1 })
    const stream = await (await openSession(raw)).get()
    await expect(openSession(raw)).rejects.toThrow('503')
    await stream.body?.cancel()
    await openSession(raw)
  })

  it('ends a session that nobody used for long, and what ran in it', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    const raw = await serve('fetch', littleServed(), { sessionIdleMs: 60_000 })
    const [left, used] = [await openSession(raw), await openSession(raw)]
    const stream = await used.get()
    const aborted = raw.served.aborted('ask')
    const events = eventsOf(await left.call('ask'))
    await events.next()
    vi.advanceTimersByTime(600_000)
    await settled(left)
    await events.cancel()
    vi.advanceTimersByTime(130_000)
    await aborted
    expect(await statusOf(left.post(ping))).toBe(404)
    expect(await statusOf(used.post(ping))).toBe(200)
    await stream.body?.cancel()
  })

  it('begins the stream of a call that takes its time', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const raw = await serve('fetch')
    const session = await openSession(raw)
    const began = raw.served.began('hold')
    const call = session.call('hold')
    await began
    vi.advanceTimersByTime(1_000)
    const events = eventsOf(await call)
    expect(await events.next()).toMatchObject({ data: '', retry: '1000' })
    raw.served.release()
    expect((await events.rest()).map(dataOf)).toMatchObject([{ id: 1 }])
  })

  it('sends a question on the GET stream when the stream of its call is lost', async () => {
    const served = littleServed()
    const { answer } = served
    let go = (): void => {}
    const gate = new Promise<void>(resolve => {
      go = resolve
    })
    const raw = await serve(
      'fetch',
      Object.assign(served, { answer: (incoming: never) => gate.then(() => answer(incoming)) }),
    )
    const session = await openSession(raw)
    const standing = eventsOf(await session.get())
    await standing.next()
    const aborter = new AbortController()
    const init = legacyPost({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } }, session.headers)
    const call = raw.fetch({ ...init, signal: aborter.signal }).catch(() => {})
    await settled(session)
    aborter.abort()
    await call
    go()
    expect(dataOf(await standing.next())).toMatchObject({ method: 'elicitation/create' })
    await standing.cancel()
  })

  it('cuts off a client that does not read, which may come back for what counts', async () => {
    const raw = await serve('listen')
    const session = await openSession(raw)
    const socket = connect({ port: Number(new URL(raw.url).port), host: '127.0.0.1' })
    socket.pause()
    await once(socket, 'connect')
    const init = legacyPost({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'flood' } }, session.headers)
    const body = String(init.body)
    const lines = Object.entries({ ...(init.headers as object), host: 'localhost', 'content-length': body.length })
    const began = raw.served.began('flood')
    socket.write(`POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
    await began
    await settled(session)
    let text = ''
    socket.setEncoding('latin1').on('data', chunk => {
      text += chunk
      if (text.endsWith('\r\n0\r\n\r\n')) socket.destroy()
    })
    socket.resume()
    await once(socket, 'close')
    expect(text.length).toBeLessThan(10_000_000)
    const lastId = [...text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1] ?? ''
    const rest = await eventsOf(await session.get({ 'last-event-id': lastId })).rest()
    expect(dataOf(rest.at(-1))).toMatchObject({ id: 1, result: { content: [{ text: 'flooded' }] } })
  })

  it('closes with the server', async () => {
    const raw: Raw = await serve('listen')
    const session = await openSession(raw)
    const aborted = raw.served.aborted('wait')
    const began = raw.served.began('wait')
    const stream = await session.get()
    const call = session.call('wait')
    await began
    await raw.serving.close()
    await aborted
    await stream.text()
    await (await call).text()
    await expect(raw.fetch({ method: 'POST' })).rejects.toThrow()
  })
})
