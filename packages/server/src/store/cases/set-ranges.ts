// What is read of a set: from where, up to where, in either direction, page by page.
import assert from 'node:assert/strict'
import type { RangeOptions, Store } from '../store.js'
import type { StoreCase } from './store-case.js'

export const setRangeCases: readonly StoreCase[] = [
  {
    title: 'reads a set from a score to a score, both included, in either direction',
    async run({ store }) {
      await putAll(
        store,
        [...'aabbccdd'].map((letter, index) => [`${letter}${index}`, Math.floor(index / 2)]),
      )
      const range = (options: Omit<RangeOptions, 'limit'>) => membersOf(store, { ...options, limit: 99 })
      assert.deepEqual(await range({ from: { score: 1 } }), ['b2', 'b3', 'c4', 'c5', 'd6', 'd7'])
      assert.deepEqual(await range({ from: { score: 0.5 }, to: 1.5 }), ['b2', 'b3'])
      assert.deepEqual(await range({ to: 1 }), ['a0', 'a1', 'b2', 'b3'])
      assert.deepEqual(await range({ from: { score: 1 }, to: 2 }), ['b2', 'b3', 'c4', 'c5'])
      assert.deepEqual(await range({ from: { score: 2 }, to: 1 }), [])
      assert.deepEqual(await range({ from: { score: 9 } }), [])
      assert.deepEqual(await range({ from: { score: 1 }, reverse: true }), ['b3', 'b2', 'a1', 'a0'])
      assert.deepEqual(await range({ to: 2, reverse: true }), ['d7', 'd6', 'c5', 'c4'])
      assert.deepEqual(await range({ from: { score: 2 }, to: 1, reverse: true }), ['c5', 'c4', 'b3', 'b2'])
      assert.deepEqual(await range({ from: { score: 1 }, to: 2, reverse: true }), [])
    },
  },
  {
    title: 'reads at most so many members, the first in the direction of travel',
    async run({ store }) {
      await putAll(
        store,
        [...'abcde'].map((letter, index) => [letter, index]),
      )
      assert.deepEqual(await membersOf(store, { limit: 0 }), [])
      assert.deepEqual(await membersOf(store, { limit: 2 }), ['a', 'b'])
      assert.deepEqual(await membersOf(store, { limit: 2, reverse: true }), ['e', 'd'])
      assert.deepEqual(await membersOf(store, { from: { score: 1 }, to: 3, limit: 2 }), ['b', 'c'])
      assert.deepEqual(await membersOf(store, { from: { score: 3 }, to: 1, reverse: true, limit: 2 }), ['d', 'c'])
      assert.deepEqual(await membersOf(store, { limit: Number.MAX_SAFE_INTEGER }), [...'abcde'])
    },
  },
  {
    title: 'goes on after a cursor, also when its member has moved or is gone',
    async run({ store }) {
      await putAll(store, [
        ...[...'bdfh'].map((letter): [string, number] => [letter, 1]),
        ...[...'aceg'].map((letter): [string, number] => [letter, 2]),
      ])
      const after = (score: number, member: string, rest: Partial<RangeOptions> = {}) =>
        membersOf(store, { from: { score, member }, limit: 3, ...rest })
      assert.deepEqual(await after(1, 'd'), ['f', 'h', 'a'])
      assert.deepEqual(await after(1, 'c'), ['d', 'f', 'h'])
      assert.deepEqual(await after(1, 'a'), ['b', 'd', 'f'])
      assert.deepEqual(await after(1, 'z'), ['a', 'c', 'e'])
      assert.deepEqual(await after(1.5, 'd'), ['a', 'c', 'e'])
      assert.deepEqual(await after(2, 'g'), [])
      assert.deepEqual(await after(1, 'f', { to: 1 }), ['h'])
      assert.deepEqual(await after(1, 'h', { to: 1 }), [])
      assert.deepEqual(await after(2, 'c', { reverse: true }), ['a', 'h', 'f'])
      assert.deepEqual(await after(2, 'b', { reverse: true }), ['a', 'h', 'f'])
      assert.deepEqual(await after(2, 'z', { reverse: true, to: 2 }), ['g', 'e', 'c'])
      assert.deepEqual(await after(1.5, 'a', { reverse: true }), ['h', 'f', 'd'])
      assert.deepEqual(await after(1, 'b', { reverse: true }), [])
      await store.remove('set', 'd')
      assert.deepEqual(await after(1, 'd'), ['f', 'h', 'a'])
      assert.deepEqual(await after(1, 'd', { reverse: true }), ['b'])
    },
  },
  {
    title: 'gives every member once, page by page, in either direction, among 500 of equal score',
    async run({ store }) {
      const members = Array.from({ length: 500 }, (_, index) => `m${index}`)
      await Promise.all(members.map(member => store.put('set', member, 1)))
      await store.put('set', 'first', 0)
      await store.put('set', 'last', 2)
      const expected = ['first', ...members.toSorted(), 'last']
      for (const reverse of [false, true]) {
        const found: string[] = []
        let page = await store.range('set', { reverse, limit: 99 })
        while (page.length > 0 && found.length <= expected.length) {
          found.push(...page.map(({ member }) => member))
          page = await store.range('set', { from: page.at(-1), reverse, limit: 99 })
        }
        assert.deepEqual(found, reverse ? expected.toReversed() : expected)
      }
    },
  },
  {
    title: 'counts the members of a set, and stops where it is told to',
    async run({ store }) {
      await putAll(
        store,
        [...'abcde'].map(letter => [letter, 1]),
      )
      for (const upTo of [0, 1, 4, 5]) assert.equal(await store.count('set', { upTo }), upTo)
      for (const upTo of [6, Number.MAX_SAFE_INTEGER]) assert.equal(await store.count('set', { upTo }), 5)
    },
  },
]

/** One after the other within a call each, so that their order is no matter of chance. */
export async function putAll(store: Store, members: readonly (readonly [string, number])[]): Promise<void> {
  await Promise.all(members.map(([member, score]) => store.put('set', member, score)))
}

export async function membersOf(store: Store, options: RangeOptions): Promise<string[]> {
  return (await store.range('set', options)).map(({ member }) => member)
}
