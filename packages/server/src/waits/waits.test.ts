import { AskExpiredError } from '@beckon/core'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { memoryStore, type Store } from '../store/index.js'
import { createWaits, type Waits } from './waits.js'

const turn = () => new Promise(resolve => setImmediate(resolve))

function createNode(store?: Store) {
  const clock = new FakeClock()
  let subscriptions = 0
  const own = store ?? memoryStore({ clock })
  const counted: Store = {
    ...own,
    async subscribe(topic, listener) {
      subscriptions++
      const stop = await own.subscribe(topic, listener)
      return async () => {
        subscriptions--
        await stop()
      }
    },
  }
  const waits = createWaits(counted, clock)
  const has = (key: string) => async () => (await own.get(key))?.value as string | undefined
  const begin = (on: Waits, key: string, timeoutMs = 1_000) => {
    const wait = on.wait({ key, look: has(key), expiresAt: clock.now() + timeoutMs })
    wait.watch()
    return wait
  }
  return { clock, store: own, waits, begin, subscriptions: () => subscriptions }
}

describe('a wait', () => {
  it('ends at once where what it waits for is there', async () => {
    const { store, waits, begin } = createNode()
    await store.set('a', 'there')
    expect(await begin(waits, 'a').settled).toBe('there')
  })

  it('ends when it is told, and not for what is told of others', async () => {
    const { store, waits, begin } = createNode()
    let found: string | undefined
    begin(waits, 'a').settled.then(value => {
      found = value
    })
    await waits.tell('b')
    await waits.tell('a')
    await turn()
    expect(found).toBeUndefined()
    await store.set('a', 'there')
    await waits.tell('a')
    await turn()
    expect(found).toBe('there')
  })

  it('is told by another process', async () => {
    const store = { ...memoryStore(), shared: true }
    const one = createNode(store)
    const other = createNode(store)
    const wait = one.begin(one.waits, 'a')
    await turn()
    await store.set('a', 'there')
    await other.waits.tell('a')
    expect(await wait.settled).toBe('there')
  })

  it('finds what it was not told of, in a store that others write to', async () => {
    const { clock, store, waits, begin } = createNode({ ...memoryStore(), shared: true })
    const wait = begin(waits, 'a', 100_000)
    await turn()
    await store.set('a', 'there')
    clock.advance(30_000)
    expect(await wait.settled).toBe('there')
  })

  it('expires, and what was done at the last moment is done', async () => {
    const { clock, store, waits, begin } = createNode()
    const expired = expect(begin(waits, 'a').settled).rejects.toThrow(AskExpiredError)
    const late = begin(waits, 'b')
    await turn()
    await store.set('b', 'there')
    clock.advance(1_000)
    await expired
    expect(await late.settled).toBe('there')
  })

  it('holds nothing while it rests, and looks again when it goes on', async () => {
    const { clock, store, waits, begin, subscriptions } = createNode()
    const wait = begin(waits, 'a')
    await turn()
    expect([clock.pending, subscriptions()]).toEqual([1, 1])
    wait.pause()
    await turn()
    expect([clock.pending, subscriptions()]).toEqual([0, 0])
    await store.set('a', 'there')
    await waits.tell('a')
    wait.watch()
    expect(await wait.settled).toBe('there')
    await turn()
    expect([clock.pending, subscriptions()]).toEqual([0, 0])
  })

  it('has one timer and one subscription with all the others, and each expires in its own time', async () => {
    const { clock, waits, begin, subscriptions } = createNode()
    const order: number[] = []
    const all = [500, 100, 900, 300, 100].map(ms => begin(waits, `after ${ms}`, ms).settled.catch(() => order.push(ms)))
    await turn()
    expect([clock.pending, subscriptions()]).toEqual([1, 1])
    for (let passed = 0; passed < 900; passed += 100) {
      clock.advance(100)
      await turn()
    }
    await Promise.all(all)
    expect(order).toEqual([100, 100, 300, 500, 900])
    expect([clock.pending, subscriptions()]).toEqual([0, 0])
  })

  it('outlasts a store that is away for a moment, and fails with one that is away at the end', async () => {
    const clock = new FakeClock()
    const own = memoryStore({ clock })
    let isAway = true
    const store: Store = {
      ...own,
      shared: true,
      subscribe: (...args) => (isAway ? Promise.reject(new Error('The store is away.')) : own.subscribe(...args)),
    }
    const look = async () => {
      if (isAway) throw new Error('The store is away.')
      return (await own.get('a'))?.value as string | undefined
    }
    const waits = createWaits(store, clock)
    const begin = () => {
      const wait = waits.wait({ key: 'a', look, expiresAt: clock.now() + 100_000 })
      wait.watch()
      return wait.settled
    }
    const lasting = begin()
    await turn()
    isAway = false
    clock.advance(30_000)
    await turn()
    await own.set('a', 'done')
    await waits.tell('a')
    expect(await lasting).toBe('done')
    isAway = true
    const failing = begin()
    await turn()
    clock.advance(100_000)
    await expect(failing).rejects.toThrow('The store is away.')
  })
})
