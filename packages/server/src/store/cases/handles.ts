import assert from 'node:assert/strict'
import type { Store } from '../store.js'
import { collect } from './collect.js'
import { assertHolds, assertLog, assertRejects, type StoreCase } from './store-case.js'

export const handleCases: readonly StoreCase[] = [
  {
    title: 'says that it is shared exactly when there is a second handle',
    async run({ store, handles }) {
      for (const handle of handles) assert.equal(handle.shared, handles.length > 1)
      assert.equal(typeof store.shared, 'boolean')
    },
  },
  {
    title: 'rejects every method after it was closed, and closes again',
    async run({ store }) {
      const unsubscribe = await store.subscribe('topic', () => {})
      assert.equal(await store.close(), undefined)
      await assertRejects(Error, methodsOf(store))
      await unsubscribe()
      await store.close()
    },
  },
  {
    title: 'calls no listener once it was closed',
    async run({ store }) {
      const received = collect()
      await store.subscribe('topic', received.add)
      await store.publish('topic', 'on its way')
      await Promise.allSettled([store.publish('topic', 'not awaited'), store.close()])
      const before = received.messages.length
      await new Promise(resolve => setTimeout(resolve, 20))
      assert.equal(received.messages.length, before)
    },
  },
  {
    title: 'shows what was written through one handle to another at once',
    needs: 'second',
    async run({ store, second }) {
      await store.set('key', 1)
      await assertHolds(second, 'key', 1)
      assert.deepEqual(await second.get('key'), await store.get('key'))
      await store.append('log', [1])
      assert.equal(await second.append('log', [2], { after: 1 }), 2)
      await assertLog(store, 'log', [1, 2])
      assert.equal(await second.delete('key'), true)
      assert.equal(await store.delete('key'), false)
      assert.equal(await second.erase('log'), true)
      assert.equal(await store.append('log', [3], { after: 0 }), 1)
      await assertLog(second, 'log', [3])
      await store.trim('log', 1)
      assert.equal(await second.append('log', [4], { after: 1 }), 2)
      await store.put('set', 'a', 1)
      assert.deepEqual(await second.range('set', { limit: 9 }), [{ member: 'a', score: 1 }])
      assert.equal(await second.put('set', 'a', 2, { if: 1 }), true)
      assert.equal(await store.remove('set', 'a', { if: 2 }), true)
      assert.equal(await second.count('set', { upTo: 9 }), 0)
    },
  },
  {
    title: 'takes a version from one handle on another',
    needs: 'second',
    async run({ store, second }) {
      await store.set('key', 1)
      const old = (await store.get('key'))?.version
      const version = await second.compareAndSet('key', old, 2)
      assert.notEqual(version, undefined)
      assert.equal(await store.compareAndSet('key', old, 3), undefined)
      assert.notEqual(await store.compareAndSet('key', version, 4), undefined)
      await assertHolds(second, 'key', 4)
    },
  },
  {
    title: 'delivers a message to the subscribers of every handle, in order',
    needs: 'second',
    async run({ store, second }) {
      const [here, there] = [collect(), collect()]
      await store.subscribe('topic', here.add)
      await second.subscribe('topic', there.add)
      for (const message of [1, 2, 3]) await store.publish('topic', message)
      await here.assertReceived([1, 2, 3])
      await there.assertReceived([1, 2, 3])
      await second.publish('topic', 4)
      await here.assertReceived([1, 2, 3, 4])
      await there.assertReceived([1, 2, 3, 4])
    },
  },
  {
    title: 'closes one handle, and leaves the data and the other one as they are',
    needs: 'second',
    async run({ store, second }) {
      const [closed, open] = [collect(), collect()]
      await store.subscribe('topic', closed.add)
      await second.subscribe('topic', open.add)
      await store.set('key', 1)
      await store.append('log', [1])
      await store.close()
      await assertHolds(second, 'key', 1)
      await assertLog(second, 'log', [1])
      await second.publish('topic', 1)
      await second.publish('topic', 2)
      await open.assertReceived([1, 2])
      assert.deepEqual(closed.messages, [])
    },
  },
]

function methodsOf(store: Store): (() => Promise<unknown>)[] {
  return [
    () => store.get('key'),
    () => store.set('key', 1),
    () => store.delete('key'),
    () => store.compareAndSet('key', undefined, 1),
    () => store.append('log', [1]),
    () => store.read('log'),
    () => store.trim('log', 1),
    () => store.erase('log'),
    () => store.put('set', 'a', 1),
    () => store.remove('set', 'a'),
    () => store.range('set', { limit: 1 }),
    () => store.count('set', { upTo: 1 }),
    () => store.publish('topic', 1),
    () => store.subscribe('topic', () => {}),
  ]
}
