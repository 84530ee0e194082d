import assert from 'node:assert/strict'
import type { Store } from '../store.js'
import { assertSame, type StoreCase } from './store-case.js'

export const setExpiryCases: readonly StoreCase[] = [
  {
    title: 'makes a set absent at once that a put gives a past expiry',
    async run({ store, now }) {
      for (const expiresAt of [0, now(), now() - 1, -1]) {
        await store.put('set', 'a', 1)
        assert.equal(await store.put('set', 'b', 2, { expiresAt }), true)
        await assertMembers(store, 'set', [])
        assert.equal(await store.count('set', { upTo: 9 }), 0)
        assert.equal(await store.remove('set', 'a'), false)
        assert.equal(await store.put('set', 'a', 1, { if: 1 }), false)
        assert.equal(await store.put('set', 'a', 1, { if: 'absent' }), true)
        await assertMembers(store, 'set', ['a'])
      }
    },
  },
  {
    title: 'forgets the whole set between the puts before and after one with a past expiry, awaited or not',
    async run({ store }) {
      await Promise.all([
        store.put('set', 'z', 1),
        store.put('set', 'c', 1),
        store.put('set', 'b', 1, { expiresAt: 0 }),
        store.put('set', 'a', 1),
        store.put('set', 'd', 1),
      ])
      await assertMembers(store, 'set', ['a', 'd'])
    },
  },
  {
    title: 'keeps a set until its very millisecond, and then begins it again',
    needs: 'clock',
    async run({ store, clock }) {
      const soon = { expiresAt: clock.now() + 1_000 }
      await store.put('set', 'a', 1, soon)
      await store.put('set', 'b', 2)
      await store.put('refused', 'a', 1, soon)
      await clock.advance(999)
      await assertMembers(store, 'set', ['a', 'b'])
      assert.equal(await store.count('set', { upTo: 9 }), 2)
      await clock.advance(1)
      await assertMembers(store, 'set', [])
      assert.equal(await store.count('set', { upTo: 9 }), 0)
      assert.equal(await store.remove('set', 'a'), false)
      assert.equal(await store.put('refused', 'a', 2, { if: 1 }), false)
      assert.equal(await store.put('set', 'a', 3, { if: 'absent' }), true)
      await clock.advance(1e9)
      await assertMembers(store, 'set', ['a'])
    },
  },
  {
    title: 'moves the expiry of a set with each put that has one, and leaves it with one that has none or is refused',
    needs: 'clock',
    async run({ store, clock }) {
      const soon = { expiresAt: clock.now() + 10 }
      const later = { expiresAt: clock.now() + 20 }
      await store.put('left', 'a', 1, soon)
      await store.put('left', 'b', 1)
      await store.put('moved', 'a', 1, soon)
      await store.put('moved', 'a', 1, later)
      await store.put('sooner', 'a', 1, later)
      await store.put('sooner', 'b', 1, soon)
      await store.put('late', 'a', 1)
      await store.put('late', 'b', 1, soon)
      await store.put('refused', 'a', 1, later)
      await store.put('refused', 'a', 2, { ...soon, if: 'absent' })
      await store.put('refused', 'a', 2, { ...soon, if: 7 })
      await store.put('removed', 'a', 1, later)
      await store.put('removed', 'b', 1)
      await store.remove('removed', 'a')
      await clock.advance(10)
      for (const gone of ['left', 'sooner', 'late']) await assertMembers(store, gone, [])
      await assertMembers(store, 'moved', ['a'])
      await assertMembers(store, 'refused', ['a'])
      await assertMembers(store, 'removed', ['b'])
      await clock.advance(10)
      for (const gone of ['moved', 'refused', 'removed']) await assertMembers(store, gone, [])
    },
  },
  {
    title: 'forgets the expiry of a set with its last member',
    needs: 'clock',
    async run({ store, clock }) {
      await store.put('set', 'a', 1, { expiresAt: clock.now() + 10 })
      await store.put('set', 'b', 1)
      await store.remove('set', 'a')
      await store.remove('set', 'b', { if: 1 })
      await store.put('set', 'c', 1)
      await clock.advance(1_000)
      await assertMembers(store, 'set', ['c'])
    },
  },
]

async function assertMembers(store: Store, set: string, expected: readonly string[]): Promise<void> {
  assertSame(
    (await store.range(set, { limit: 99 })).map(({ member }) => member),
    expected,
  )
}
