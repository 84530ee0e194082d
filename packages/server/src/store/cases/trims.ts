import assert from 'node:assert/strict'
import type { ReadOptions, Store } from '../store.js'
import { assertLog, assertRejects, assertSame, many, type StoreCase } from './store-case.js'

export const trimCases: readonly StoreCase[] = [
  {
    title: 'trims a log up to a number, itself included, and leaves the others at their places',
    async run({ store }) {
      await store.append('log', ['a', 'b', 'c', 'd', 'e'])
      await store.append('other', ['x', 'y'])
      assert.equal(await store.trim('log', 2), undefined)
      assertSame(await store.read('log'), [
        { seq: 3, value: 'c' },
        { seq: 4, value: 'd' },
        { seq: 5, value: 'e' },
      ])
      await assertLog(store, 'other', ['x', 'y'])
      for (const again of [0, 1, 2]) await store.trim('log', again)
      assert.deepEqual(await seqs(store), [3, 4, 5])
      await store.trim('log', 4)
      assert.deepEqual(await seqs(store), [5])
    },
  },
  {
    title: 'reads after a number that was trimmed from the earliest entry that is left',
    async run({ store }) {
      await store.append('log', ['a', 'b', 'c', 'd', 'e'])
      await store.trim('log', 3)
      for (const after of [0, 1, 3]) assert.deepEqual(await seqs(store, { after }), [4, 5])
      assert.deepEqual(await seqs(store, { after: 1, limit: 1 }), [4])
      assert.deepEqual(await seqs(store, { after: 4 }), [5])
      assert.deepEqual(await seqs(store, { after: 5 }), [])
    },
  },
  {
    title: 'goes on numbering after a trim, and appends after the last number',
    async run({ store }) {
      await store.append('log', ['a', 'b', 'c'])
      await store.trim('log', 2)
      for (const after of [0, 1, 2, 4]) assert.equal(await store.append('log', ['x'], { after }), undefined)
      assert.equal(await store.append('log', []), 3)
      assert.equal(await store.append('log', ['d'], { after: 3 }), 4)
      assert.equal(await store.append('log', ['e', 'f']), 6)
      assertSame(await store.read('log', { after: 3 }), [
        { seq: 4, value: 'd' },
        { seq: 5, value: 'e' },
        { seq: 6, value: 'f' },
      ])
    },
  },
  {
    title: 'keeps the place of a log that was trimmed to nothing, and forgets no entry to come',
    async run({ store }) {
      await store.append('log', ['a', 'b', 'c'])
      await store.trim('log', 99)
      assert.deepEqual(await store.read('log'), [])
      assert.equal(await store.append('log', []), 3)
      assert.equal(await store.append('log', ['x'], { after: 0 }), undefined)
      assert.equal(await store.append('log', ['d'], { after: 3 }), 4)
      assertSame(await store.read('log'), [{ seq: 4, value: 'd' }])
      await store.trim('log', 4)
      assert.equal(await store.append('log', ['e']), 5)
      assert.deepEqual(await seqs(store), [5])
    },
  },
  {
    title: 'erases a log that was trimmed to nothing, and starts it at 1 again',
    async run({ store }) {
      await store.append('log', ['a', 'b'])
      await store.trim('log', 2)
      assert.equal(await store.erase('log'), true)
      assert.equal(await store.erase('log'), false)
      assert.equal(await store.append('log', ['new'], { after: 0 }), 1)
      await assertLog(store, 'log', ['new'])
    },
  },
  {
    title: 'begins no log by trimming',
    async run({ store }) {
      await store.trim('log', 5)
      assert.equal(await store.erase('log'), false)
      assert.equal(await store.append('log', ['a'], { after: 0 }), 1)
    },
  },
  {
    title: 'trims between the appends that were called before it and after it, awaited or not',
    async run({ store }) {
      await Promise.all([
        store.append('log', ['a', 'b']),
        store.trim('log', 9),
        store.append('log', ['c']),
        store.trim('log', 1),
      ])
      assertSame(await store.read('log'), [{ seq: 3, value: 'c' }])
    },
  },
  {
    title: 'loses no number and no entry while several append and trim',
    async run({ store, handles }) {
      const lasts = await Promise.all(
        many(40, handles).map(async (handle, index) => {
          const last = Number(await handle.append('log', [index, index]))
          await handle.trim('log', last - 1)
          return last
        }),
      )
      assertSame(
        lasts.toSorted((a, b) => a - b),
        lasts.map((_, index) => (index + 1) * 2),
      )
      assert.deepEqual(await seqs(store), [80])
    },
  },
  {
    title: 'refuses to trim up to what is not a whole number with a RangeError',
    async run({ store }) {
      await store.append('log', ['a'])
      for (const wrong of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await assertRejects(RangeError, [() => store.trim('log', wrong)])
      }
      await assertLog(store, 'log', ['a'])
    },
  },
  {
    title: 'leaves the expiry of a log as it is when it is trimmed, also to nothing',
    needs: 'clock',
    async run({ store, clock }) {
      await store.append('log', ['a', 'b'], { expiresAt: clock.now() + 10 })
      await store.append('kept', ['a', 'b'])
      await store.trim('log', 2)
      await store.trim('kept', 2)
      await clock.advance(9)
      assert.equal(await store.append('log', []), 2)
      await clock.advance(1)
      assert.equal(await store.append('log', []), 0)
      assert.equal(await store.append('log', ['new'], { after: 0 }), 1)
      await clock.advance(1e9)
      assert.equal(await store.append('kept', []), 2)
      await assertLog(store, 'log', ['new'])
    },
  },
]

async function seqs(store: Store, options?: ReadOptions): Promise<number[]> {
  return (await store.read('log', options)).map(entry => entry.seq)
}
