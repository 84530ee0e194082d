import { expect, it, test, vi } from 'vitest'
import { createServer } from '../index.js'
import { createTestClock } from '../test/index.js'
import { borrowedStore } from './borrowed-store.js'
import { memoryStore } from './memory-store.js'
import { testStore } from './test-store.js'

testStore(
  'lent',
  () => {
    const clock = createTestClock()
    const own = memoryStore({ clock })
    return { store: borrowedStore(own), clock, teardown: () => own.close() }
  },
  { test },
)

it('leaves the store to whoever made it, and nothing subscribed', async () => {
  const own = memoryStore()
  const ends: number[] = []
  const subscribe = own.subscribe
  vi.spyOn(own, 'subscribe').mockImplementation(async (...args) => {
    const end = await subscribe(...args)
    return async () => {
      ends.push(1)
      await end()
    }
  })
  const lent = borrowedStore(own)
  await lent.subscribe('a', () => {})
  await lent.subscribe('b', () => {})
  const late = lent.subscribe('c', () => {})
  await lent.close()
  await late
  expect(ends).toHaveLength(3)
  await own.set('key', 1)
  expect(await own.get('key')).toMatchObject({ value: 1 })
})

it('outlives a server that it was given to', async () => {
  const store = memoryStore()
  const servers = ['a', 'b'].map(name => createServer({ name, version: '1.0.0', store }))
  await servers[0]?.close()
  await servers[1]?.session('someone').set('key', 1)
  expect(await servers[1]?.session('someone').get('key')).toBe(1)
  await servers[1]?.close()
  await store.set('key', 1)
  await store.close()
})
