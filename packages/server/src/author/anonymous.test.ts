import { describe, expect, it, vi } from 'vitest'
import { countedStore } from '../../test/counted-store.js'
import { FakeClock } from '../../test/fake-clock.js'
import { modernCall, openSession as openRawSession } from '../../test/raw-http.js'
import { createServer } from '../server/create-server.js'
import { memoryStore } from '../store/index.js'
import { AnonymousValues, anonymousId } from './anonymous.js'
import { openSession, PendingWrites } from './session.js'

// A busy machine takes its time.
vi.setConfig({ testTimeout: 60_000 })

const many = 5_000

function setUp(max: number) {
  const clock = new FakeClock()
  const store = countedStore(clock)
  const values = new AnonymousValues(store, clock, max)
  const session = (id: string) => openSession(values.storeFor(id), id, new PendingWrites(), async () => {})
  return { store, session }
}

describe('what is kept for callers without a principal', () => {
  it('stays within bounds, whoever comes, and the newest are remembered', async () => {
    const { store, session } = setUp(1_000)
    for (let nth = 0; nth < many; nth++) {
      const stranger = session(anonymousId('call', String(nth)))
      if (nth % 2 === 0) await stranger.set('basket', nth)
      else await stranger.authorize('staff')
    }
    expect(store.keys.size).toBe(1_000)
    const nth = (number: number) => session(anonymousId('call', String(number)))
    expect(await nth(0).get('basket')).toBeUndefined()
    expect(await nth(1).isAuthorized('staff')).toBe(false)
    expect(await nth(many - 1_000).get('basket')).toBe(many - 1_000)
    expect(await nth(many - 1).isAuthorized('staff')).toBe(true)
  })

  it('pushes out neither those with a connection nor those with a principal', async () => {
    const { session } = setUp(10)
    await session('of-a-principal').set('basket', 'hers')
    await session(anonymousId('connection', 'ann')).set('basket', 'his')
    for (let nth = 0; nth < 100; nth++) {
      await session(anonymousId('call', String(nth))).set('basket', nth)
      await session(`user:${anonymousId('call', String(nth))}`).set('basket', nth)
    }
    expect(await session('of-a-principal').get('basket')).toBe('hers')
    expect(await session(anonymousId('connection', 'ann')).get('basket')).toBe('his')
  })

  it('is warned of once, where a later call would not find it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    try {
      const server = createServer({ name: 'preferences', version: '1.0.0' })
      server.tool('configure', {}, async (_input, ctx) => {
        ctx.session.set('preferences', { theme: 'dark' })
        return { found: (await ctx.session.get('preferences')) ?? null }
      })
      const call = () => server.fetch(new Request('http://localhost/mcp', modernCall({ name: 'configure' })))
      expect(await (await call()).text()).toContain('"theme":"dark"')
      expect(warn).toHaveBeenCalledWith(expect.stringContaining('identify'))
      await call()
      expect(warn).toHaveBeenCalledTimes(1)
      const { session } = setUp(10)
      await session('of-a-principal').set('basket', 1)
      await session(anonymousId('connection', 'ann')).set('basket', 1)
      expect(warn).toHaveBeenCalledTimes(1)
      await server.close()
    } finally {
      warn.mockRestore()
    }
  })

  it('keeps someone who comes back, and forgets who did not', async () => {
    const { session } = setUp(10)
    for (let nth = 0; nth < 100; nth++) {
      await session(anonymousId('connection', 'regular')).set('visits', nth)
      await session(anonymousId('connection', String(nth))).set('visits', 1)
    }
    expect(await session(anonymousId('connection', 'regular')).get('visits')).toBe(99)
    expect(await session(anonymousId('connection', '0')).get('visits')).toBeUndefined()
  })

  it('goes away by itself, in every store', async () => {
    const clock = new FakeClock()
    const store = { ...memoryStore({ clock }), shared: true }
    const values = new AnonymousValues(store, clock, 10)
    const session = (id: string) => openSession(values.storeFor(id), id, new PendingWrites(), async () => {})
    const [call, principal] = [session(anonymousId('call', 'one')), session('of-a-principal')]
    await call.set('basket', 1)
    await principal.set('basket', 1)
    clock.jump(31 * 24 * 60 * 60 * 1000)
    expect(await call.get('basket')).toBeUndefined()
    expect(await principal.get('basket')).toBe(1)
  })
})

it('is what a server does with its strangers', async () => {
  const store = countedStore()
  const server = createServer({ name: 's', version: '1.0.0', store, limits: { anonymous: 5 } })
  server.tool('remember', {}, async (_input, ctx) => {
    const count = ((await ctx.session.get<number>('count')) ?? 0) + 1
    await ctx.session.set('count', count)
    return String(count)
  })
  const { url } = await server.listen({ port: 0 })
  const send = (init: RequestInit) => fetch(url, init)
  const session = await openRawSession({ fetch: send } as Parameters<typeof openRawSession>[0])
  expect(await (await session.call('remember')).text()).toContain('"1"')
  for (let nth = 0; nth < 50; nth++)
    expect(await (await send(modernCall({ name: 'remember' }))).text()).toContain('"1"')
  expect(await (await session.call('remember', 2)).text()).toContain('"2"')
  expect(store.keys.size).toBe(6)
  await server.close()
})
