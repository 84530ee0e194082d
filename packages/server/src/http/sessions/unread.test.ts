import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type LittleServed, littleServed } from '../../../test/little-served.js'
import { eventsOf, legacyPost, openSession, type Raw, type RawSession, serve } from '../../../test/raw-http.js'
import type { SessionLimits } from '../options.js'

const identify = (request: Request): string | undefined => request.headers.get('authorization') ?? undefined
const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' }

/** More than the buffers of two sockets take, so that some of it stays with the server. */
const largeSize = 16_000_000

function servedLarge(): LittleServed {
  const little = littleServed({ identify })
  const { answer } = little
  const large = { content: [{ type: 'text', text: 'x'.repeat(largeSize) }] }
  return Object.assign(little, {
    answer: ((incoming, ...rest) =>
      incoming.params.name === 'large' ? Promise.resolve(large) : answer(incoming, ...rest)) as typeof answer,
  })
}

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** The server has answered, and seen that not all of it is taken: both take a turn or two of its event loop. */
async function settled(session: RawSession): Promise<void> {
  for (let count = 0; count < 5; count += 1) await (await session.post(ping)).text()
}

/** Calls for a large result and does not read it. Gives the size of what arrives once it is read after all. */
async function callWithoutReading(raw: Raw, session: RawSession, id: number): Promise<() => Promise<number>> {
  const socket = connect({ port: Number(new URL(raw.url).port), host: '127.0.0.1' })
  sockets.push(socket)
  const init = legacyPost({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'large' } }, session.headers)
  const body = String(init.body)
  const headers = { ...(init.headers as object), host: 'localhost', connection: 'close', 'content-length': body.length }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  await once(socket, 'readable')
  await settled(session)
  return async () => {
    let size = 0
    socket.on('data', chunk => {
      size += chunk.length
    })
    // One that was cut off may be reset.
    socket.on('error', () => {})
    await once(socket, 'close')
    return size
  }
}

describe('answers that are not read', () => {
  const served = (sessionLimits: SessionLimits): Promise<Raw> => serve('listen', servedLarge(), { sessionLimits })
  const open = (raw: Raw, principal?: string): Promise<RawSession> =>
    openSession(raw, '2025-11-25', principal === undefined ? {} : { authorization: principal })

  it('are counted for their session, until they are read', async () => {
    const raw = await served({ maxBytes: 1_000_000 })
    const session = await open(raw)
    const first = await callWithoutReading(raw, session, 1)
    expect((await session.post(ping)).status).toBe(429)
    expect(await first()).toBeGreaterThan(largeSize)
    expect((await session.post(ping)).status).toBe(200)
  })

  it('of one session may be one of any size, and the older ones go', async () => {
    const served = servedLarge()
    const raw = await serve('listen', served, { sessionLimits: { maxBytes: 1_000_000 } })
    const session = await open(raw)
    const { answer } = served
    let release = (): void => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    let waiting = 0
    const arrived = new Promise<void>(resolve => {
      const held = (async (...call) => {
        if (call[0].params.name !== 'large') return answer(...call)
        waiting += 1
        if (waiting === 3) resolve()
        await released
        return answer(...call)
      }) as typeof answer
      Object.assign(served, { answer: held })
    })
    const calls = [1, 2, 3].map(id => callWithoutReading(raw, session, id))
    await arrived
    release()
    const sizes = await Promise.all((await Promise.all(calls)).map(read => read()))
    expect(sizes.filter(size => size > largeSize)).toHaveLength(1)
  })

  it('of anonymous sessions are bounded together, and known callers keep theirs', async () => {
    const raw = await served({ maxBytes: 100_000_000, maxBytesInAll: 20_000_000, principalShare: 1 })
    const ada = await open(raw, 'ada')
    const known = await callWithoutReading(raw, ada, 1)
    const strangers: (() => Promise<number>)[] = []
    for (let count = 0; count < 4; count += 1) strangers.push(await callWithoutReading(raw, await open(raw), 1))
    const sizes = await Promise.all(strangers.map(read => read()))
    expect(sizes.filter(size => size > largeSize).length).toBeLessThan(4)
    expect(sizes.at(-1)).toBeGreaterThan(largeSize)
    expect(await known()).toBeGreaterThan(largeSize)
  })

  it('are counted when their session is over', async () => {
    const raw = await served({ maxBytes: 100_000_000, maxBytesInAll: 20_000_000 })
    const reads: (() => Promise<number>)[] = []
    for (let count = 0; count < 4; count += 1) {
      const session = await open(raw)
      reads.push(await callWithoutReading(raw, session, 1))
      await raw.fetch({ method: 'DELETE', headers: session.headers })
    }
    const sizes = await Promise.all(reads.map(read => read()))
    expect(sizes.filter(size => size > largeSize).length).toBeLessThan(4)
  })

  it('are cut off as event streams, too', async () => {
    const raw = await serve('fetch', littleServed(), { sessionLimits: { maxBytes: 2_000_000 } })
    const session = await openSession(raw)
    const streams: Response[] = []
    for (let id = 0; id < 3; id += 1) {
      streams.push(await session.call('flood', id))
      await settled(session)
    }
    const all = await Promise.allSettled(streams.map(stream => eventsOf(stream).rest()))
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect((await session.post(ping)).status).toBe(200)
  })

  it('are let go of when their session had events and is over', async () => {
    const raw = await serve('fetch', littleServed(), { sessionLimits: { maxBytesInAll: 3_000_000 } })
    const streams: Response[] = []
    for (let id = 0; id < 4; id += 1) {
      const session = await openSession(raw)
      raw.serving.notify.toolsChanged()
      streams.push(await session.call('flood', id))
      await settled(session)
      await raw.fetch({ method: 'DELETE', headers: session.headers })
    }
    const all = await Promise.allSettled(streams.map(stream => eventsOf(stream).rest()))
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled'])
  })
})
