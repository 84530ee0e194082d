import assert from 'node:assert/strict'
import type { RangeOptions, SetMember, Store } from '../store.js'
import { SetModel, seededRandom } from './set-model.js'
import { membersOf, putAll } from './set-ranges.js'
import { assertRejects, assertSame, many, type StoreCase } from './store-case.js'

/** In the order of their bytes, which neither a language's nor a number's order is. */
const inByteOrder = [
  ' ',
  '!',
  '"',
  '%',
  "'",
  '-',
  '10',
  '9',
  'A',
  'B',
  'Z',
  '\\',
  '_',
  'a',
  'a ',
  'a-b',
  'aB',
  'ab',
  'b',
]

/** In their order. */
const scores = [
  ...[-Number.MAX_VALUE, -1e21, Number.MIN_SAFE_INTEGER, -1.5, -1, -5e-324, 0, 5e-324, 1e-7, 0.1, 0.1 + 0.2, 1, 2],
  ...[1_700_000_000_000, 1_700_000_000_000.5, Number.MAX_SAFE_INTEGER, 1e21, Number.MAX_VALUE],
]

export const setCases: readonly StoreCase[] = [
  {
    title: 'finds nothing in an absent set',
    async run({ store }) {
      assert.deepEqual(await store.range('set', { limit: 10 }), [])
      assert.deepEqual(await store.range('set', { from: { score: 1, member: 'a' }, reverse: true, limit: 10 }), [])
      assert.equal(await store.count('set', { upTo: 10 }), 0)
      assert.equal(await store.remove('set', 'a'), false)
      assert.equal(await store.remove('set', 'a', { if: 1 }), false)
      assert.equal(await store.put('set', 'a', 1, { if: 1 }), false)
      assert.equal(await store.count('set', { upTo: 10 }), 0)
    },
  },
  {
    title: 'keeps each member of a set once, at the score that it was last put at',
    async run({ store }) {
      assert.equal(await store.put('set', 'a', 1), true)
      assert.equal(await store.put('set', 'b', 2), true)
      assert.equal(await store.put('set', 'a', 3), true)
      assert.equal(await store.put('set', 'a', 3), true)
      assert.equal(await store.put('other', 'a', 7), true)
      await assertSet(store, [
        ['b', 2],
        ['a', 3],
      ])
      assert.equal(await store.count('set', { upTo: 10 }), 2)
      assertSame(await store.range('other', { limit: 10 }), [{ member: 'a', score: 7 }])
    },
  },
  {
    title: 'puts a member that must be absent only when it is',
    async run({ store }) {
      assert.equal(await store.put('set', 'a', 1, { if: 'absent' }), true)
      assert.equal(await store.put('set', 'a', 2, { if: 'absent' }), false)
      assert.equal(await store.put('set', 'b', 2, { if: 'absent' }), true)
      await assertSet(store, [
        ['a', 1],
        ['b', 2],
      ])
      await store.remove('set', 'a')
      assert.equal(await store.put('set', 'a', 3, { if: 'absent' }), true)
    },
  },
  {
    title: 'puts a member that must be at a score only when it is',
    async run({ store }) {
      assert.equal(await store.put('set', 'a', 2, { if: 0 }), false)
      await store.put('set', 'a', 0)
      assert.equal(await store.put('set', 'a', 2, { if: 1 }), false)
      await assertSet(store, [['a', 0]])
      assert.equal(await store.put('set', 'a', 0.1 + 0.2, { if: -0 }), true)
      assert.equal(await store.put('set', 'a', 2, { if: 0.3 }), false)
      assert.equal(await store.put('set', 'a', 2, { if: 0.1 + 0.2 }), true)
      assert.equal(await store.put('set', 'a', 2, { if: 2 }), true)
      await assertSet(store, [['a', 2]])
    },
  },
  {
    title: 'removes a member, and says whether it was there',
    async run({ store }) {
      await store.put('set', 'a', 1)
      await store.put('set', 'b', 1)
      assert.equal(await store.remove('set', 'c'), false)
      assert.equal(await store.remove('set', 'a'), true)
      assert.equal(await store.remove('set', 'a'), false)
      await assertSet(store, [['b', 1]])
      assert.equal(await store.remove('set', 'b'), true)
      await assertSet(store, [])
      assert.equal(await store.count('set', { upTo: 10 }), 0)
    },
  },
  {
    title: 'removes a member that must be at a score only when it is',
    async run({ store }) {
      await store.put('set', 'a', 0)
      assert.equal(await store.remove('set', 'a', { if: 1 }), false)
      await assertSet(store, [['a', 0]])
      assert.equal(await store.remove('set', 'a', { if: 0 }), true)
      assert.equal(await store.remove('set', 'a', { if: 0 }), false)
      await assertSet(store, [])
    },
  },
  {
    title: 'keeps every finite score exactly, and sorts by it',
    async run({ store }) {
      await putAll(
        store,
        scores.map((score, index) => [`${index}`, score]),
      )
      const expected = scores.map((score, index): [string, number] => [`${index}`, score])
      await assertSet(store, expected)
      for (const [member, score] of expected) assert.equal(await store.put('set', member, score, { if: score }), true)
      for (const [index, score] of scores.entries()) {
        assertSame(await store.range('set', { from: { score }, to: score, limit: 9 }), [{ member: `${index}`, score }])
      }
      await store.put('zero', 'a', -0)
      assert.equal(Object.is((await store.range('zero', { limit: 1 }))[0]?.score, 0), true)
    },
  },
  {
    title: 'sorts members of equal score by their bytes',
    async run({ store }) {
      await putAll(
        store,
        inByteOrder.toReversed().map(member => [member, 1]),
      )
      await assertSet(
        store,
        inByteOrder.map(member => [member, 1]),
      )
      assert.deepEqual(await membersOf(store, { reverse: true, limit: 99 }), inByteOrder.toReversed())
      for (const [index, member] of inByteOrder.entries()) {
        const from = { score: 1, member }
        assert.deepEqual(await membersOf(store, { from, limit: 99 }), inByteOrder.slice(index + 1))
        const before = inByteOrder.slice(0, index).reverse()
        assert.deepEqual(await membersOf(store, { from, reverse: true, limit: 99 }), before)
      }
    },
  },
  {
    title: 'takes every printable ASCII character in a member, and 256 of them',
    async run({ store }) {
      const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
      const members = [...printable, printable.join(''), '~'.repeat(256), `${'~'.repeat(255)}!`]
      assert.deepEqual(await Promise.all(members.map(member => store.put('set', member, 1))), members.map(Boolean))
      assert.equal(await store.count('set', { upTo: 999 }), members.length)
      assert.deepEqual(await membersOf(store, { limit: 999 }), members.toSorted())
      for (const member of members) assert.equal(await store.remove('set', member), true)
    },
  },
  {
    title: 'refuses what cannot be a member: a TypeError for what is not a string, else a RangeError',
    async run({ store }) {
      await store.put('set', 'a', 1)
      for (const wrong of ['', 'x'.repeat(257), 'ä', 'a\u0000', '\n', 'a\n', '\u007f', '👍', '\ud800']) {
        await assertRejects(RangeError, methodsWith(store, wrong))
      }
      // The compiler lets none of these through; a caller in JavaScript has no such help.
      for (const wrong of [undefined, null, 1, {}] as unknown as string[]) {
        await assertRejects(TypeError, [() => store.put('set', wrong, 1), () => store.remove('set', wrong)])
      }
      await assertSet(store, [['a', 1]])
    },
  },
  {
    title: 'refuses a score that is not a finite number with a RangeError',
    async run({ store }) {
      for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        await assertRejects(RangeError, [
          () => store.put('set', 'a', wrong),
          () => store.put('set', 'a', 1, { if: wrong }),
          () => store.put('set', 'a', 1, { expiresAt: wrong }),
          () => store.remove('set', 'a', { if: wrong }),
          () => store.range('set', { from: { score: wrong }, limit: 1 }),
          () => store.range('set', { to: wrong, limit: 1 }),
        ])
      }
      await assertSet(store, [])
    },
  },
  {
    title: 'refuses a limit and a count that are negative or not whole with a RangeError',
    async run({ store }) {
      for (const wrong of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await assertRejects(RangeError, [
          () => store.range('set', { limit: wrong }),
          () => store.count('set', { upTo: wrong }),
        ])
      }
    },
  },
  {
    title: 'keeps the last of several puts of a member that were made one after the other, awaited or not',
    async run({ store }) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => store.put('set', 'a', index)))
      await assertSet(store, [['a', 49]])
      const calls = [store.put('set', 'b', 1), store.remove('set', 'b'), store.put('set', 'b', 2, { if: 'absent' })]
      assert.deepEqual(await Promise.all(calls), [true, true, true])
      await assertSet(store, [
        ['b', 2],
        ['a', 49],
      ])
    },
  },
  {
    title: 'lets exactly one of many put a member that must be absent, or at a score, or remove it',
    async run({ store, handles }) {
      const winnersOf = async (call: (handle: Store, index: number) => Promise<boolean>): Promise<number[]> =>
        (await Promise.all(many(20, handles).map(call))).flatMap((won, index) => (won ? [index + 1] : []))
      for (let round = 0; round < 3; round++) {
        const [first = -1, ...others] = await winnersOf((handle, n) => handle.put('set', 'a', n + 1, { if: 'absent' }))
        assert.deepEqual(others, [])
        await assertSet(store, [['a', first]])
        const [second = -1, ...rest] = await winnersOf((handle, n) => handle.put('set', 'a', -n - 1, { if: first }))
        assert.deepEqual(rest, [])
        await assertSet(store, [['a', -second]])
        assert.equal((await winnersOf(handle => handle.remove('set', 'a', { if: -second }))).length, 1)
        await store.put('set', 'a', 1)
        assert.equal((await winnersOf(handle => handle.remove('set', 'a'))).length, 1)
      }
    },
  },
  {
    title: 'loses no member of a set that several change at once, in any order',
    async run({ store, handles }) {
      const members = Array.from({ length: 60 }, (_, index) => `m${index}`)
      await Promise.all(
        handles.map(async (handle, n) => {
          const own = n % 2 === 0 ? members : members.toReversed()
          for (let round = 0; round < 3; round++) {
            await Promise.all(own.map(member => handle.put('set', member, round)))
            await Promise.all(own.map(member => handle.remove('set', `${member} ${n}`)))
          }
          await Promise.all(own.map(member => handle.put('set', `${member} ${n}`, 9)))
        }),
      )
      assert.equal(await store.count('set', { upTo: 999 }), members.length * (1 + handles.length))
      assert.deepEqual(await membersOf(store, { to: 2, limit: 999 }), members.toSorted())
    },
  },
  {
    title: 'agrees with a plain model of a set, whatever is done to it',
    async run({ handles }) {
      await Promise.all([1, 2, 3, 4].map(seed => assertLikeModel(handles, seed)))
    },
  },
]

/** Takes a walk of random steps, the same for the same seed, on a set of its own. */
async function assertLikeModel(handles: readonly Store[], seed: number): Promise<void> {
  const random = seededRandom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const maybe = <T>(value: T): T | undefined => (random() < 0.5 ? value : undefined)
  const model = new SetModel()
  const name = `set ${seed}`
  const score = () => pick([-1, 0, 0.5, 1, 1, 1])
  const member = () => pick(inByteOrder)
  for (let step = 0; step < 60; step++) {
    const store = pick(handles)
    const [id, at] = [member(), score()]
    if (random() < 0.7) {
      const options = { if: pick([undefined, undefined, 'absent', score()] as const) }
      assert.equal(await store.put(name, id, at, options), model.put(id, at, options))
    } else {
      const options = { if: maybe(at) }
      assert.equal(await store.remove(name, id, options), model.remove(id, options))
    }
    const span: RangeOptions = {
      from: maybe({ score: score(), member: maybe(member()) }),
      to: maybe(score()),
      reverse: random() < 0.5,
      limit: pick([1, 3, 99]),
    }
    const [range, count] = await Promise.all([store.range(name, span), store.count(name, { upTo: step % 9 })])
    const context = `seed ${seed}, step ${step}, ${JSON.stringify(span)}`
    assert.equal(JSON.stringify(range), JSON.stringify(model.range(span)), context)
    assert.equal(count, model.count(step % 9), context)
  }
}

async function assertSet(store: Store, expected: readonly (readonly [string, number])[]): Promise<void> {
  assertSame(
    await store.range('set', { limit: 1_000 }),
    expected.map(([member, score]): SetMember => ({ member, score })),
  )
}

function methodsWith(store: Store, member: string): (() => Promise<unknown>)[] {
  return [
    () => store.put('set', member, 1),
    () => store.remove('set', member),
    () => store.range('set', { from: { score: 1, member }, limit: 1 }),
  ]
}
