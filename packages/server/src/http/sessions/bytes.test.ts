import { describe, expect, it } from 'vitest'
import { littleServed } from '../../../test/little-served.js'
import { eventsOf, faces, legacyPost, openSession, type Raw, type RawSession, serve } from '../../../test/raw-http.js'
import type { SessionLimits } from '../options.js'

const identify = (request: Request): string | undefined => request.headers.get('authorization') ?? undefined
const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' }

function open(raw: Raw, principal?: string): Promise<RawSession> {
  return openSession(raw, '2025-11-25', principal === undefined ? {} : { authorization: principal })
}

/** A session whose client says a lot about itself. */
async function openLarge(raw: Raw, bytes: number, headers: Record<string, string> = {}): Promise<string | number> {
  const capabilities = { experimental: { large: { text: 'x'.repeat(bytes) } } }
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw', version: '1' } }
  const response = await raw.fetch(legacyPost({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers))
  await response.text()
  return response.headers.get('mcp-session-id') ?? response.status
}

/** A call that waits for a person, and was given a lot to remember. */
async function ask(session: RawSession, id: number, bytes: number): Promise<Response> {
  const params = { name: 'ask', arguments: { text: 'x'.repeat(bytes) } }
  return session.post({ jsonrpc: '2.0', id, method: 'tools/call', params })
}

async function statusOf(response: Promise<Response> | Response): Promise<number> {
  const { status, body } = await response
  await body?.cancel()
  return status
}

describe.each(faces)('bytes that a session holds, over %s', face => {
  const served = (sessionLimits: SessionLimits): Promise<Raw> =>
    serve(face, littleServed({ identify }), { sessionLimits })

  it('are bounded for requests that wait, and come back with their answers', async () => {
    const session = await open(await served({ maxBytes: 100_000 }))
    const waiting = [await ask(session, 1, 30_000), await ask(session, 2, 30_000)]
    const refused = await session.post(ping)
    expect([refused.status, await refused.json()]).toEqual([
      429,
      {
        jsonrpc: '2.0',
        id: 'ping',
        error: { code: -32000, message: 'Too much of this session is in memory; try again later' },
      },
    ])
    await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })
    await waiting[1]?.text()
    expect(await statusOf(session.post(ping))).toBe(200)
  })

  it('are bounded for a principal, and another has room', async () => {
    const raw = await served({ maxBytesInAll: 1_000_000 })
    const [first, second, bob] = [await open(raw, 'ada'), await open(raw, 'ada'), await open(raw, 'bob')]
    expect((await ask(first, 1, 60_000)).status).toBe(200)
    expect(await statusOf(second.post(ping))).toBe(429)
    expect(await statusOf(bob.post(ping))).toBe(200)
  })

  it('are bounded for all anonymous sessions together, which leaves room for a known caller', async () => {
    const raw = await served({ maxBytesInAll: 200_000 })
    const [stranger, other, ada] = [await open(raw), await open(raw), await open(raw, 'ada')]
    await ask(stranger, 1, 110_000)
    expect(await statusOf(other.post(ping))).toBe(503)
    await expect(open(raw)).rejects.toThrow('503')
    expect(await statusOf(ada.post(ping))).toBe(200)
  })

  it('are bounded for what clients say of themselves', async () => {
    const raw = await served({ maxBytesInAll: 1_000_000, principalShare: 1 })
    const ada = await openLarge(raw, 200_000, { authorization: 'ada' })
    const strangers: (string | number)[] = []
    for (let count = 0; count < 10; count += 1) strangers.push(await openLarge(raw, 200_000))
    const isAlive = async (id: string | number, headers: Record<string, string> = {}): Promise<boolean> =>
      (await statusOf(raw.fetch(legacyPost(ping, { ...headers, 'mcp-session-id': String(id) })))) === 200
    expect(await isAlive(ada, { authorization: 'ada' })).toBe(true)
    const alive = await Promise.all(strangers.map(id => isAlive(id)))
    expect(alive.filter(Boolean).length).toBeLessThanOrEqual(3)
    expect(alive.at(-1)).toBe(true)
  })

  it('are bounded for subscriptions', async () => {
    const session = await open(await served({ maxBytes: 200_000 }))
    const subscribe = async (id: number): Promise<unknown> => {
      const params = { uri: `note://${id}${'x'.repeat(8_000)}` }
      return (await session.post({ jsonrpc: '2.0', id, method: 'resources/subscribe', params })).json()
    }
    const replies: unknown[] = []
    for (let id = 0; id < 10; id += 1) replies.push(await subscribe(id))
    const refused = replies.findIndex(reply => 'error' in (reply as object))
    expect(refused).toBeGreaterThan(2)
    expect(replies.slice(refused).every(reply => 'error' in (reply as object))).toBe(true)
    expect(replies[refused]).toMatchObject({ error: { code: -32000, message: expect.stringContaining('in memory') } })
    expect(await statusOf(session.post(ping))).toBe(200)
  })
})

describe('events for clients that come back', () => {
  const served = (sessionLimits: SessionLimits): Promise<Raw> =>
    serve('fetch', littleServed({ identify }), { sessionLimits })

  /** Has a session log 20 MB, and gives the id of the first event. */
  async function flood(session: RawSession, id: number): Promise<string> {
    const events = eventsOf(await session.call('flood', id))
    const first = await events.next()
    await events.cancel()
    await (await session.post(ping)).text()
    return first?.id ?? ''
  }

  async function eventsAfter(session: RawSession, id: string): Promise<string[]> {
    return (await eventsOf(await session.get({ 'last-event-id': id })).rest()).map(({ data }) => data)
  }

  const sizeOf = (events: readonly string[]): number => events.reduce((sum, { length }) => sum + length, 0)

  it('are bounded for a session, and notifications go before results', async () => {
    const session = await open(await served({ maxBytes: 1_000_000 }))
    const ids = [await flood(session, 1), await flood(session, 2), await flood(session, 3)]
    const kept = await Promise.all(ids.map(id => eventsAfter(session, id)))
    expect(sizeOf(kept.flat())).toBeLessThan(500_000)
    expect(kept.map(events => events.at(-1))).toEqual(Array(3).fill(expect.stringContaining('flooded')))
    expect(await statusOf(session.post(ping))).toBe(200)
  })

  it('go with their stream where results alone are too much', async () => {
    const little = littleServed()
    const { answer } = little
    const large = { content: [{ type: 'text', text: 'x'.repeat(200_000) }] }
    const answerLarge: typeof answer = async incoming => Object.assign(await answer(incoming), large)
    const limits = { maxBytes: 1_000_000 }
    const raw = await serve('fetch', Object.assign(little, { answer: answerLarge }), { sessionLimits: limits })
    const session = await open(raw)
    const ids: string[] = []
    for (let id = 0; id < 4; id += 1) ids.push(await flood(session, id))
    const statuses = await Promise.all(ids.map(id => statusOf(session.get({ 'last-event-id': id }))))
    expect(statuses).toEqual([400, 400, 200, 200])
  })

  it('of anonymous sessions are bounded together, and push out none of a known caller', async () => {
    const raw = await served({ maxBytesInAll: 4_000_000, principalShare: 1 })
    const ada = await open(raw, 'ada')
    const adas = await flood(ada, 1)
    const before = await eventsAfter(ada, adas)
    expect(sizeOf(before)).toBeGreaterThan(500_000)
    const strangers: RawSession[] = []
    for (let count = 0; count < 10; count += 1) strangers.push(await open(raw))
    const ids: string[] = []
    for (const stranger of strangers) ids.push(await flood(stranger, 1))
    const kept = await Promise.all(strangers.map((stranger, index) => eventsAfter(stranger, ids[index] ?? '')))
    expect(sizeOf(kept.flat())).toBeLessThan(2_000_000)
    expect(kept.every(events => events.at(-1)?.includes('flooded'))).toBe(true)
    expect(await eventsAfter(ada, adas)).toEqual(before)
  })

  it('of one principal push out none of another', async () => {
    const raw = await served({ maxBytesInAll: 4_000_000, principalShare: 0.5 })
    const bob = await open(raw, 'bob')
    const bobs = await flood(bob, 1)
    const before = await eventsAfter(bob, bobs)
    for (let count = 0; count < 5; count += 1) await flood(await open(raw, 'ada'), 1)
    expect(await eventsAfter(bob, bobs)).toEqual(before)
  })
})

// Over `fetch` alone, where the server knows at once that a client is gone.
it('ends an idle session when another needs the bytes that it holds', async () => {
  const raw = await serve('fetch', littleServed(), { sessionLimits: { maxBytesInAll: 200_000 } })
  const [left, other] = [await open(raw), await open(raw)]
  await (await ask(left, 1, 110_000)).body?.cancel()
  expect(await statusOf(other.post(ping))).toBe(200)
  expect(await statusOf(left.post(ping))).toBe(404)
})
