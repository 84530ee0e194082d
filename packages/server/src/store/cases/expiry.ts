import assert from 'node:assert/strict'
import type { Expiry, Store } from '../store.js'
import { assertHolds, assertLog, type StoreCase, type Subject } from './store-case.js'

const hour = 3_600_000

const passed: Record<string, (now: number) => number> = {
  'at 0': () => 0,
  now: now => now,
  'a millisecond ago': now => now - 1,
  'before 1970': () => -1,
}

export const expiryCases: readonly StoreCase[] = [
  ...Object.entries(passed).map(
    ([name, momentOf]): StoreCase => ({
      title: `makes what expires ${name} absent at once`,
      run: subject => assertGoneAtOnce(subject, { expiresAt: momentOf(subject.now()) }),
    }),
  ),
  {
    title: 'keeps what expires later',
    async run({ store, now }) {
      const expiresAt = now() + hour
      await store.set('set', 1, { expiresAt })
      await store.compareAndSet('compared', undefined, 1, { expiresAt: expiresAt + 0.5 })
      await store.append('log', [1], { expiresAt })
      await store.append('log', [2], { expiresAt: undefined })
      await assertHolds(store, 'set', 1)
      await assertHolds(store, 'compared', 1)
      await assertLog(store, 'log', [1, 2])
    },
  },
  {
    title: 'takes the year 275760 as an expiry',
    async run({ store }) {
      await store.set('key', 1, { expiresAt: 8.64e15 })
      await assertHolds(store, 'key', 1)
    },
  },
  {
    title: 'deletes a key by comparing and setting it with a past expiry',
    async run({ store }) {
      await store.set('key', 1)
      const version = (await store.get('key'))?.version
      assert.notEqual(await store.compareAndSet('key', version, 1, { expiresAt: 0 }), undefined)
      await assertHolds(store, 'key', undefined)
      assert.equal(await store.compareAndSet('key', version, 1), undefined)
    },
  },
  {
    title: 'starts a log at 1 again after an append with a past expiry',
    async run({ store }) {
      await store.append('log', [1, 2])
      assert.equal(await store.append('log', [3], { expiresAt: 0 }), 3)
      await assertLog(store, 'log', [])
      assert.equal(await store.append('log', ['new'], { after: 0 }), 1)
      await assertLog(store, 'log', ['new'])
    },
  },
  {
    title: 'keeps a key until its very millisecond',
    needs: 'clock',
    async run({ store, clock }) {
      await store.set('key', 1, { expiresAt: clock.now() + 1_000 })
      await clock.advance(999)
      await assertHolds(store, 'key', 1)
      await clock.advance(1)
      await assertHolds(store, 'key', undefined)
    },
  },
  {
    title: 'takes an expired key for an absent one in every method',
    needs: 'clock',
    async run({ store, clock }) {
      await store.set('deleted', 1, { expiresAt: clock.now() + 10 })
      await store.set('compared', 1, { expiresAt: clock.now() + 10 })
      const old = (await store.get('compared'))?.version
      await clock.advance(10)
      assert.equal(await store.delete('deleted'), false)
      assert.equal(await store.compareAndSet('compared', old, 2), undefined)
      assert.notEqual(await store.compareAndSet('compared', undefined, 3), undefined)
      assert.equal(await store.compareAndSet('compared', old, 4), undefined)
      await assertHolds(store, 'compared', 3)
    },
  },
  {
    title: 'gives a key the expiry of its last write, and none when that had none',
    needs: 'clock',
    async run({ store, clock }) {
      const soon = { expiresAt: clock.now() + 10 }
      const later = { expiresAt: clock.now() + 20 }
      await store.set('for good', 1, soon)
      await store.set('for good', 2)
      await store.set('compared', 1, soon)
      await store.compareAndSet('compared', (await store.get('compared'))?.version, 2)
      await store.set('later', 1, soon)
      await store.set('later', 2, later)
      await store.set('sooner', 1, later)
      await store.set('sooner', 2, soon)
      await store.compareAndSet('refused', undefined, 1, later)
      await store.compareAndSet('refused', undefined, 2, soon)
      await clock.advance(10)
      await assertHolds(store, 'sooner', undefined)
      await assertHolds(store, 'later', 2)
      await assertHolds(store, 'refused', 1)
      await clock.advance(10)
      await assertHolds(store, 'later', undefined)
      await clock.advance(1_000 * hour)
      await assertHolds(store, 'for good', 2)
      await assertHolds(store, 'compared', 2)
    },
  },
  {
    title: 'keeps a log until its very millisecond, and then starts at 1 again',
    needs: 'clock',
    async run({ store, clock }) {
      await store.append('log', [1, 2], { expiresAt: clock.now() + 1_000 })
      await store.append('erased', [1], { expiresAt: clock.now() + 1_000 })
      await clock.advance(999)
      await assertLog(store, 'log', [1, 2])
      await clock.advance(1)
      await assertLog(store, 'log', [])
      assert.equal(await store.erase('erased'), false)
      assert.equal(await store.append('log', ['late'], { after: 2 }), undefined)
      assert.equal(await store.append('log', [], {}), 0)
      assert.equal(await store.append('log', ['new'], { after: 0 }), 1)
      await clock.advance(1_000 * hour)
      await assertLog(store, 'log', ['new'])
    },
  },
  {
    title: 'moves the expiry of a log with each append that has one, and leaves it with one that has none',
    needs: 'clock',
    async run({ store, clock }) {
      const soon = { expiresAt: clock.now() + 10 }
      const later = { expiresAt: clock.now() + 20 }
      await store.append('left', [1], soon)
      await store.append('left', [2])
      await store.append('moved', [1], soon)
      await store.append('moved', [2], later)
      await store.append('touched', [1], soon)
      await store.append('touched', [], later)
      await store.append('refused', [1], later)
      await store.append('refused', [2], { ...soon, after: 7 })
      await clock.advance(10)
      await assertLog(store, 'left', [])
      await assertLog(store, 'moved', [1, 2])
      await assertLog(store, 'touched', [1])
      await assertLog(store, 'refused', [1])
      await clock.advance(10)
      await assertLog(store, 'moved', [])
      await assertLog(store, 'touched', [])
    },
  },
]

async function assertGoneAtOnce({ store }: Subject, expiry: Expiry): Promise<void> {
  await writeTo(store, 'new', expiry)
  await writeTo(store, 'old', {})
  await writeTo(store, 'old', expiry)
  for (const name of ['new', 'old']) {
    await assertHolds(store, name, undefined)
    await assertHolds(store, `${name} compared`, undefined)
    await assertLog(store, name, [])
    assert.equal(await store.delete(name), false)
    assert.equal(await store.erase(name), false)
  }
}

async function writeTo(store: Store, name: string, expiry: Expiry): Promise<void> {
  await store.set(name, 1, expiry)
  const version = (await store.get(`${name} compared`))?.version
  assert.notEqual(await store.compareAndSet(`${name} compared`, version, 1, expiry), undefined)
  await store.append(name, [1], expiry)
}
