import assert from 'node:assert/strict'
import type { LogEntry } from '../store.js'
import { assertLog, assertRejects, assertSame, many, type StoreCase } from './store-case.js'

export const logCases: readonly StoreCase[] = [
  {
    title: 'reads nothing from an absent log',
    async run({ store }) {
      assert.deepEqual(await store.read('log'), [])
      assert.deepEqual(await store.read('log', { after: 3, limit: 2 }), [])
    },
  },
  {
    title: 'numbers the entries of a log from 1 with no gaps, and gives the number of the last',
    async run({ store }) {
      assert.equal(await store.append('log', ['a']), 1)
      assert.equal(await store.append('log', ['b', 'c', 'd']), 4)
      assert.equal(await store.append('other', ['x']), 1)
      assert.equal(await store.append('log', ['e']), 5)
      await assertLog(store, 'log', ['a', 'b', 'c', 'd', 'e'])
      await assertLog(store, 'other', ['x'])
    },
  },
  {
    title: 'keeps equal entries as two',
    async run({ store }) {
      await store.append('log', ['a', 'a'])
      await store.append('log', ['a'])
      await assertLog(store, 'log', ['a', 'a', 'a'])
    },
  },
  {
    title: 'adds nothing and begins no log with no entries',
    async run({ store, now }) {
      assert.equal(await store.append('log', []), 0)
      assert.equal(await store.append('log', [], { after: 0, expiresAt: now() + 60_000 }), 0)
      assert.equal(await store.append('log', [], { after: 1 }), undefined)
      assert.equal(await store.erase('log'), false)
      await store.append('log', ['a', 'b'])
      assert.equal(await store.append('log', []), 2)
      assert.equal(await store.append('log', [], { after: 2 }), 2)
      await assertLog(store, 'log', ['a', 'b'])
    },
  },
  {
    title: 'appends after a number only when it is the last',
    async run({ store }) {
      assert.equal(await store.append('log', ['x', 'y'], { after: 1 }), undefined)
      await assertLog(store, 'log', [])
      assert.equal(await store.append('log', ['a', 'b'], { after: 0 }), 2)
      for (const after of [0, 1, 3]) assert.equal(await store.append('log', ['x', 'y'], { after }), undefined)
      assert.equal(await store.append('log', ['c'], { after: 2 }), 3)
      await assertLog(store, 'log', ['a', 'b', 'c'])
    },
  },
  {
    title: 'keeps the entries of appends in the order of their calls, awaited or not',
    async run({ store }) {
      const numbers = await Promise.all(Array.from({ length: 50 }, (_, index) => store.append('log', [index])))
      assertSame(
        numbers,
        numbers.map((_, index) => index + 1),
      )
      await assertLog(
        store,
        'log',
        numbers.map((_, index) => index),
      )
    },
  },
  {
    title: 'keeps the entries of one append next to each other, while others append',
    async run({ store, handles }) {
      const writers = many(40, handles)
      const lasts = await Promise.all(writers.map((handle, n) => handle.append('log', [n, n, n])))
      const entries = await store.read('log')
      assertSame(
        entries.map(entry => entry.seq),
        Array.from({ length: 120 }, (_, index) => index + 1),
      )
      for (const [writer, last] of lasts.entries()) {
        const own = entries.filter(entry => entry.value === writer).map(entry => entry.seq)
        assertSame(own, [Number(last) - 2, Number(last) - 1, last])
      }
    },
  },
  {
    title: 'shows a reader all entries of an append or none',
    async run({ handles }) {
      let running = true
      const readers = handles.map(async handle => {
        while (running) assertWholeTriples(await handle.read('log'))
      })
      await Promise.all(many(30, handles).map((handle, n) => handle.append('log', [n, n, n])))
      running = false
      await Promise.all(readers)
    },
  },
  {
    title: 'lets exactly one of many append at each place',
    async run({ store, handles }) {
      const winners: number[] = []
      for (let after = 0; after < 20; after += 2) {
        const writers = many(20, handles)
        const lasts = await Promise.all(writers.map((handle, n) => handle.append('log', [n, n], { after })))
        const won = lasts.flatMap((last, writer) => (last === undefined ? [] : [[writer, last]]))
        assertSame(won, [[won[0]?.[0], after + 2]])
        winners.push(...won.flatMap(([writer = -1]) => [writer, writer]))
      }
      await assertLog(store, 'log', winners)
    },
  },
  {
    title: 'reads after a number, and up to a limit',
    async run({ store }) {
      await store.append('log', ['a', 'b', 'c', 'd', 'e'])
      const seqs = async (options: { after?: number; limit?: number }): Promise<number[]> =>
        (await store.read('log', options)).map(entry => entry.seq)
      assert.deepEqual(await seqs({}), [1, 2, 3, 4, 5])
      assert.deepEqual(await seqs({ after: 0 }), [1, 2, 3, 4, 5])
      assert.deepEqual(await seqs({ after: 3 }), [4, 5])
      assert.deepEqual(await seqs({ after: 5 }), [])
      assert.deepEqual(await seqs({ after: 9 }), [])
      assert.deepEqual(await seqs({ limit: 2 }), [1, 2])
      assert.deepEqual(await seqs({ limit: 0 }), [])
      assert.deepEqual(await seqs({ limit: 99 }), [1, 2, 3, 4, 5])
      assert.deepEqual(await seqs({ after: 1, limit: 2 }), [2, 3])
      assertSame(await store.read('log', { after: 4 }), [{ seq: 5, value: 'e' }])
    },
  },
  {
    title: 'refuses a number or a limit that is negative or not whole with a RangeError',
    async run({ store }) {
      for (const wrong of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await assertRejects(RangeError, [
          () => store.read('log', { after: wrong }),
          () => store.read('log', { limit: wrong }),
          () => store.append('log', ['a'], { after: wrong }),
        ])
      }
      await assertLog(store, 'log', [])
    },
  },
  {
    title: 'erases a log, says whether there was one, and starts it at 1 again',
    async run({ store }) {
      assert.equal(await store.erase('log'), false)
      await store.append('log', ['a', 'b'])
      await store.append('other', ['x'])
      assert.equal(await store.erase('log'), true)
      await assertLog(store, 'log', [])
      assert.equal(await store.append('log', ['late'], { after: 2 }), undefined)
      assert.equal(await store.append('log', ['c'], { after: 0 }), 1)
      await assertLog(store, 'log', ['c'])
      assert.equal(await store.erase('log'), true)
      assert.equal(await store.erase('log'), false)
      await assertLog(store, 'log', [])
      await assertLog(store, 'other', ['x'])
    },
  },
  {
    title: 'appends and reads 10,000 entries at once',
    async run({ store }) {
      const entries = Array.from({ length: 10_000 }, (_, index) => index)
      assert.equal(await store.append('log', entries), 10_000)
      await assertLog(store, 'log', entries)
    },
  },
]

function assertWholeTriples(entries: readonly LogEntry[]): void {
  assert.equal(entries.length % 3, 0)
  for (const [index, entry] of entries.entries()) assert.equal(entry.value, entries[index - (index % 3)]?.value)
}
