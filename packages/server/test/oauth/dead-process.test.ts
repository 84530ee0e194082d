import { expect, it, vi } from 'vitest'
import { withLease } from '../../src/middleware/with-lease.js'
import { memoryStore } from '../../src/store/index.js'
import { createWaits } from '../../src/waits/waits.js'
import { FakeClock } from '../fake-clock.js'
import { dieWhileRefreshing } from './dead-process.js'

vi.setConfig({ testTimeout: 60_000 })

it.each([
  ['had no answer yet', false],
  ['had used up the refresh token', true],
])(
  'a process that dies while it refreshes, and %s, holds up the others for its lease and no longer',
  async (_when, hasRotated) => {
    const clock = new FakeClock()
    const shared = memoryStore({ clock })
    await dieWhileRefreshing(() => ({ ...shared, shared: true, close: async () => {} }), clock, hasRotated)
  },
)

it('a lease of a process whose clock is far ahead lapses all the same', async () => {
  const clock = new FakeClock()
  const store = { ...memoryStore({ clock }), shared: true }
  await store.set('lease', clock.now() + 365 * 24 * 3600_000)
  const where = { store, clock, waits: createWaits(store, clock) }
  const taken = withLease({ where, key: 'lease', leaseMs: 60_000 }, async () => clock.now())
  while (!clock.isSetFor(1_030_000)) await new Promise(resolve => setImmediate(resolve))
  clock.advance(60_000)
  expect(await taken).toBe(1_060_000)
  expect(await store.get('lease')).toBeUndefined()
})
