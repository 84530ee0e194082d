import { afterEach, describe, expect, it, vi } from 'vitest'
import { littleServed } from '../../../test/little-served.js'
import { eventsOf, legacyPost, openSession, type Raw, type RawSession, serve } from '../../../test/raw-http.js'
import type { HttpOptions } from '../options.js'

const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' }
const identify = (request: Request): string | undefined => request.headers.get('authorization') ?? undefined

async function served(options: HttpOptions): Promise<Raw> {
  return serve('fetch', littleServed({ identify }), options)
}

function open(raw: Raw, principal?: string): Promise<RawSession> {
  return openSession(raw, '2025-11-25', principal === undefined ? {} : { authorization: principal })
}

/** Sessions that cannot be taken for idle: each has its GET stream open. */
async function openInUse(raw: Raw, count: number, principal?: string): Promise<RawSession[]> {
  const sessions: RawSession[] = []
  for (let opened = 0; opened < count; opened += 1) {
    const session = await open(raw, principal)
    await eventsOf(await session.get()).next()
    sessions.push(session)
  }
  return sessions
}

async function isAlive(session: RawSession): Promise<boolean> {
  const response = await session.post(ping)
  await response.text()
  return response.status === 200
}

async function aliveOf(sessions: readonly RawSession[]): Promise<number> {
  return (await Promise.all(sessions.map(isAlive))).filter(Boolean).length
}

describe('room for sessions', () => {
  afterEach(() => void vi.useRealTimers())

  it('is there for a known caller while anonymous callers hold all of it with open streams', async () => {
    const raw = await served({ maxSessions: 200 })
    const strangers = await openInUse(raw, 200)
    await expect(open(raw)).rejects.toThrow('503')
    const ada = await open(raw, 'ada')
    expect(await isAlive(ada)).toBe(true)
    expect(await aliveOf(strangers)).toBe(199)
    await expect(open(raw)).rejects.toThrow('503')
    expect(await isAlive(ada)).toBe(true)
  })

  it('ends an idle session of an anonymous caller before one in use', async () => {
    const raw = await served({ maxSessions: 3 })
    const [first] = await openInUse(raw, 1)
    const idle = await open(raw)
    const [last] = await openInUse(raw, 1)
    await open(raw, 'ada')
    expect(await Promise.all([first, idle, last].map(session => isAlive(session as RawSession)))).toEqual([
      true,
      false,
      true,
    ])
  })

  it('aborts what runs in the session that is ended', async () => {
    const raw = await served({ maxSessions: 1 })
    const stranger = await open(raw)
    const [began, aborted] = [raw.served.began('wait'), raw.served.aborted('wait')]
    const call = stranger.call('wait')
    await began
    await open(raw, 'ada')
    await aborted
    expect(await (await call).text()).toBe('')
  })

  it('is not taken by an anonymous caller from one who is known, idle or not', async () => {
    const raw = await served({ maxSessions: 2 })
    const known = [await open(raw, 'ada'), await open(raw, 'bob')]
    await expect(open(raw)).rejects.toThrow('503')
    expect(await aliveOf(known)).toBe(2)
  })

  it('is a tenth of all for one principal, whose own idle sessions make room', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const raw = await served({ maxSessions: 20 })
    const bob = await open(raw, 'bob')
    const first = await open(raw, 'ada')
    vi.advanceTimersByTime(10)
    const [second] = await openInUse(raw, 1, 'ada')
    const [third] = await openInUse(raw, 1, 'ada')
    expect(await Promise.all([bob, first, second, third].map(session => isAlive(session as RawSession)))).toEqual([
      true,
      false,
      true,
      true,
    ])
    await expect(open(raw, 'ada')).rejects.toThrow('429')
    await open(raw, 'carol')
  })

  it('is what `principalShare` says for one principal', async () => {
    const raw = await served({ maxSessions: 4, sessionLimits: { principalShare: 0.5 } })
    await openInUse(raw, 2, 'ada')
    await expect(open(raw, 'ada')).rejects.toThrow('429')
    await openInUse(raw, 2, 'bob')
    await expect(open(raw, 'carol')).rejects.toThrow('503')
  })

  it('is made by the principal with the most sessions, when none is anonymous', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const raw = await served({ maxSessions: 4, sessionLimits: { principalShare: 0.75 } })
    const ada = await open(raw, 'ada')
    vi.advanceTimersByTime(10)
    const bob: RawSession[] = []
    for (let count = 0; count < 3; count += 1) {
      bob.push(await open(raw, 'bob'))
      vi.advanceTimersByTime(10)
    }
    await open(raw, 'carol')
    expect(await Promise.all([ada, ...bob].map(isAlive))).toEqual([true, false, true, true])
  })

  it('is not exceeded by callers who come at once', async () => {
    const raw = await served({ maxSessions: 2 })
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
    const initialize = legacyPost({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    const responses = await Promise.all(Array.from({ length: 20 }, () => raw.fetch(initialize)))
    const alive = responses.map(async ({ headers }) => {
      const response = await raw.fetch(legacyPost(ping, { 'mcp-session-id': headers.get('mcp-session-id') ?? 'none' }))
      await response.text()
      return response.status === 200
    })
    expect((await Promise.all(alive)).filter(Boolean)).toHaveLength(2)
  })

  it('is given back by an initialize that failed', async () => {
    const raw = await served({ maxSessions: 1 })
    const wrong = legacyPost({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 5 } })
    for (let count = 0; count < 3; count += 1) expect(await (await raw.fetch(wrong)).json()).toHaveProperty('error')
    await open(raw)
  })
})
