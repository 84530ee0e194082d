import assert from 'node:assert/strict'
import type { Store, Version } from '../store.js'
import { assertHolds, assertRejects, many, type StoreCase } from './store-case.js'

export const keyCases: readonly StoreCase[] = [
  {
    title: 'gives undefined for an absent key, and an entry for a stored null',
    async run({ store }) {
      assert.equal(await store.get('key'), undefined)
      await store.set('key', null)
      assert.equal((await store.get('key'))?.value, null)
    },
  },
  {
    title: 'sets a key again and again',
    async run({ store }) {
      await store.set('key', 1)
      await store.set('other', 'other')
      await store.set('key', { now: 'an object' })
      await assertHolds(store, 'key', { now: 'an object' })
      await assertHolds(store, 'other', 'other')
    },
  },
  {
    title: 'keeps the last of several sets that were made one after the other, awaited or not',
    async run({ store }) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => store.set('key', index)))
      await assertHolds(store, 'key', 49)
    },
  },
  {
    title: 'deletes a key, and says whether there was one',
    async run({ store }) {
      assert.equal(await store.delete('key'), false)
      await store.set('key', 1)
      assert.equal(await store.delete('key'), true)
      assert.equal(await store.get('key'), undefined)
      assert.equal(await store.delete('key'), false)
    },
  },
  {
    title: 'tells exactly one of many deletes that there was one',
    async run({ store, handles }) {
      await store.set('key', 1)
      const deleted = await Promise.all(many(20, handles).map(handle => handle.delete('key')))
      assert.equal(deleted.filter(Boolean).length, 1)
    },
  },
  {
    title: 'gives a key a new version with every write, also of the same value',
    async run({ store }) {
      const versions = [await set(store, 'same'), await set(store, 'same'), await set(store, 'other')]
      versions.push(await compareAndSet(store, versions.at(-1), 'same'))
      versions.push(await compareAndSet(store, versions.at(-1), 'same'))
      versions.push(await set(store, 'same'))
      assert.equal(new Set(versions).size, versions.length)
      for (const version of versions) assert.match(typeof version, /^(string|number)$/)
    },
  },
  {
    title: 'keeps the version of a key while nothing is written to it',
    async run({ store }) {
      const version = await set(store, 1)
      await store.set('other', 1)
      await store.append('key', [1])
      await store.compareAndSet('key', undefined, 2)
      assert.equal((await store.get('key'))?.version, version)
    },
  },
  {
    title: 'compares and sets a key that is at the version, and gives its new one',
    async run({ store }) {
      const version = await set(store, 1)
      const next = await store.compareAndSet('key', version, 2)
      assert.deepEqual(await store.get('key'), { value: 2, version: next })
      assert.notEqual(await store.compareAndSet('key', next, 3), undefined)
      await assertHolds(store, 'key', 3)
    },
  },
  {
    title: 'compares and sets nothing when the key has moved on',
    async run({ store }) {
      const old = await set(store, 1)
      const current = await set(store, 2)
      assert.equal(await store.compareAndSet('key', old, 3), undefined)
      assert.deepEqual(await store.get('key'), { value: 2, version: current })
    },
  },
  {
    title: 'compares and sets with undefined only when the key is absent',
    async run({ store }) {
      const version = await store.compareAndSet('key', undefined, 1)
      assert.deepEqual(await store.get('key'), { value: 1, version })
      assert.equal(await store.compareAndSet('key', undefined, 2), undefined)
      await assertHolds(store, 'key', 1)
    },
  },
  {
    title: 'compares and sets an absent key with no version but undefined',
    async run({ store }) {
      const version = await set(store, 1)
      await store.delete('key')
      for (const wrong of [version, 0, '', '0', 'nonsense']) {
        assert.equal(await store.compareAndSet('key', wrong, 2), undefined)
      }
      assert.equal(await store.get('key'), undefined)
    },
  },
  {
    title: 'never uses a version again, not even after a delete',
    async run({ store }) {
      const old = await set(store, 1)
      await store.delete('key')
      await store.set('key', 1)
      assert.equal(await store.compareAndSet('key', old, 2), undefined)
      await store.delete('key')
      assert.notEqual(await store.compareAndSet('key', undefined, 1), old)
      assert.equal(await store.compareAndSet('key', old, 2), undefined)
      await assertHolds(store, 'key', 1)
    },
  },
  {
    title: 'lets exactly one of many create a key',
    async run({ store, handles }) {
      const versions = await Promise.all(
        many(50, handles).map((handle, n) => handle.compareAndSet('key', undefined, n)),
      )
      const winner = versions.findIndex(version => version !== undefined)
      assert.equal(versions.filter(version => version !== undefined).length, 1)
      assert.deepEqual(await store.get('key'), { value: winner, version: versions[winner] })
    },
  },
  {
    title: 'loses none of 100 increments at once',
    async run({ store, handles }) {
      await store.set('key', 0)
      await Promise.all(many(100, handles).map(increment))
      await assertHolds(store, 'key', 100)
    },
  },
  {
    title: 'refuses an expiry that is not a finite number with a RangeError, and writes nothing',
    async run({ store }) {
      for (const expiresAt of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        await assertRejects(RangeError, [
          () => store.set('key', 1, { expiresAt }),
          () => store.compareAndSet('key', undefined, 1, { expiresAt }),
          () => store.append('key', [1], { expiresAt }),
        ])
      }
      assert.equal(await store.get('key'), undefined)
      assert.deepEqual(await store.read('key'), [])
    },
  },
]

async function set(store: Store, value: string | number): Promise<Version | undefined> {
  await store.set('key', value)
  return (await store.get('key'))?.version
}

async function compareAndSet(store: Store, version: Version | undefined, value: string): Promise<Version | undefined> {
  await store.compareAndSet('key', version, value)
  return (await store.get('key'))?.version
}

async function increment(store: Store): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const entry = await store.get('key')
    if ((await store.compareAndSet('key', entry?.version, Number(entry?.value) + 1)) !== undefined) return
  }
  assert.fail('an increment never got through')
}
