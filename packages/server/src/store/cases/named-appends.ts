import assert from 'node:assert/strict'
import type { SetMember, Store } from '../store.js'
import { assertLog, assertRejects, assertSame, many, type StoreCase } from './store-case.js'

const minute = 60_000

export const namedAppendCases: readonly StoreCase[] = [
  {
    title: 'puts members into sets with an append, and takes others out',
    async run({ store, handles }) {
      await store.put('open', 'old', 1)
      await store.put('open', 'stays', 2)
      const puts = [
        { set: 'open', member: 'new', score: 3 },
        { set: 'due', member: 'new', score: 30 },
      ]
      const removals = [
        { set: 'open', member: 'old' },
        { set: 'nowhere', member: 'old' },
      ]
      assert.equal(await store.append('log', ['a', 'b'], { after: 0, puts, removals }), 2)
      for (const handle of handles) {
        await assertLog(handle, 'log', ['a', 'b'])
        await assertMembers(handle, 'open', [
          ['stays', 2],
          ['new', 3],
        ])
        await assertMembers(handle, 'due', [['new', 30]])
        await assertMembers(handle, 'nowhere', [])
      }
      assert.equal(await store.append('log', ['c'], { removals: [{ set: 'due', member: 'new' }] }), 3)
      await assertMembers(store, 'due', [])
    },
  },
  {
    title: 'moves a member with an append, and takes out what it puts itself',
    async run({ store }) {
      await store.put('set', 'a', 1)
      const puts = [
        { set: 'set', member: 'a', score: 5 },
        { set: 'set', member: 'b', score: 4 },
        { set: 'set', member: 'b', score: 6 },
        { set: 'set', member: 'c', score: 7 },
      ]
      await store.append('log', [1], { puts, removals: [{ set: 'set', member: 'c' }] })
      await assertMembers(store, 'set', [
        ['a', 5],
        ['b', 6],
      ])
    },
  },
  {
    title: 'takes nothing out of a set with an append that something else came before',
    async run({ store, handles }) {
      await store.put('set', 'a', 1)
      await store.append('log', [1])
      const removals = [{ set: 'set', member: 'a' }]
      for (const handle of handles) assert.equal(await handle.append('log', [2], { after: 0, removals }), undefined)
      await assertMembers(store, 'set', [['a', 1]])
      await assertLog(store, 'log', [1])
    },
  },
  {
    title: 'lets one of several appends at once change what they name',
    async run({ store, handles }) {
      await store.put('set', 'a', 1)
      const appended = await Promise.all(
        many(12, handles).map((handle, index) =>
          handle.append('log', [index], {
            after: 0,
            puts: [{ set: 'one', member: 'm', score: 1 }],
            removals: [{ set: 'set', member: 'a' }],
          }),
        ),
      )
      assert.equal(appended.filter(last => last === 1).length, 1)
      await assertMembers(store, 'one', [['m', 1]])
      await assertMembers(store, 'set', [])
    },
  },
  {
    title: 'keeps appends, with and without names, in the order of their calls',
    async run({ store }) {
      const named = { puts: [{ set: 'set', member: 'a', score: 1 }] }
      const numbers = await Promise.all([
        store.append('log', ['a'], named),
        store.append('log', ['b']),
        store.append('log', ['c'], named),
        store.append('log', ['d'], { removals: [{ set: 'set', member: 'a' }] }),
      ])
      assertSame(numbers, [1, 2, 3, 4])
      await assertLog(store, 'log', ['a', 'b', 'c', 'd'])
      await assertMembers(store, 'set', [])
    },
  },
  {
    title: 'changes sets with an append that adds nothing',
    async run({ store }) {
      assert.equal(await store.append('log', [], { puts: [{ set: 'set', member: 'a', score: 1 }] }), 0)
      await assertMembers(store, 'set', [['a', 1]])
      await assertLog(store, 'log', [])
    },
  },
  {
    title: 'gives a set an expiry with an append, and leaves it as it is without one',
    needs: 'clock',
    async run({ store, clock }) {
      const now = clock.now()
      await store.append('log', [1], {
        expiresAt: now + 10 * minute,
        puts: [
          { set: 'short', member: 'a', score: 1, expiresAt: now + minute },
          { set: 'long', member: 'a', score: 1 },
        ],
      })
      await store.append('log', [2], { puts: [{ set: 'short', member: 'b', score: 2 }] })
      await assertMembers(store, 'short', [
        ['a', 1],
        ['b', 2],
      ])
      await clock.advance(minute)
      await assertMembers(store, 'short', [])
      await assertMembers(store, 'long', [['a', 1]])
      await assertLog(store, 'log', [1, 2])
    },
  },
  {
    title: 'refuses names of an append that no set can have, and writes nothing',
    async run({ store, now }) {
      const put = { set: 'set', member: 'a', score: 1 }
      await assertRejects(RangeError, [
        () => store.append('log', [1], { puts: [{ ...put, member: '' }] }),
        () => store.append('log', [1], { puts: [{ ...put, score: Number.NaN }] }),
        () => store.append('log', [1], { puts: [put, { ...put, expiresAt: Number.POSITIVE_INFINITY }] }),
        () => store.append('log', [1], { puts: [put], removals: [{ set: 'set', member: '\u00e9' }] }),
      ])
      // As a caller without types may have it.
      const number = 1 as unknown as string
      await assertRejects(TypeError, [() => store.append('log', [1], { removals: [{ set: 'set', member: number }] })])
      await assertLog(store, 'log', [])
      await assertMembers(store, 'set', [])
      assert.equal(await store.append('log', [1], { puts: [{ ...put, expiresAt: now() + minute }] }), 1)
    },
  },
]

async function assertMembers(store: Store, set: string, expected: readonly [string, number][]): Promise<void> {
  const members: SetMember[] = expected.map(([member, score]) => ({ member, score }))
  assertSame(await store.range(set, { limit: 100 }), members)
}
