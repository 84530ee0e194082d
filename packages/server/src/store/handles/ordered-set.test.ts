import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memoryStore } from '../memory-store.js'
import type { SetMember } from '../store.js'
import { OrderedSet } from './ordered-set.js'

const member = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
const score = fc.integer({ min: -2, max: 2 })
const members = fc.uniqueArray(fc.record({ member, score }), { selector: one => one.member })

async function setOf(name: string, given: readonly SetMember[], store = memoryStore()): Promise<OrderedSet> {
  const set = new OrderedSet(store, name)
  for (const { member, score } of given) await set.put(member, score)
  return set
}

const all = (set: OrderedSet) => set.range({ limit: 100 })

it('gives page by page what stays, once and in order, while others come and go', async () => {
  await fc.assert(
    fc.asyncProperty(
      members,
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      fc.array(fc.record({ member, score: fc.option(score) }), { maxLength: 6 }),
      async (given, limit, reverse, changes) => {
        const set = await setOf('s', given)
        const moved = new Set<string>(changes.map(change => change.member))
        const stays = (await set.range({ limit: 100, reverse })).filter(one => !moved.has(one.member))
        const left = [...changes]
        const found: SetMember[] = []
        for await (const page of set.pages({ limit, reverse })) {
          expect(page.length).toBeGreaterThan(0)
          found.push(...page)
          const next = left.shift()
          if (next === undefined) continue
          if (next.score === null) await set.remove(next.member)
          else await set.put(next.member, next.score)
        }
        expect(found.filter(one => !moved.has(one.member))).toEqual(stays)
      },
    ),
  )
})

it('removes what was read, and not what was put there again since', async () => {
  const set = await setOf('s', [
    { member: 'a', score: 1 },
    { member: 'b', score: 1 },
  ])
  const read = await all(set)
  await set.put('b', 2)
  await set.put('c', 1)
  await set.removeRead(read)
  expect(await all(set)).toEqual([
    { member: 'c', score: 1 },
    { member: 'b', score: 2 },
  ])
})

it('does with an append what it does alone', async () => {
  await fc.assert(
    fc.asyncProperty(members, member, score, async (given, changed, at) => {
      const store = memoryStore()
      const [alone, withAppend] = [await setOf('one', given, store), await setOf('other', given, store)]
      await alone.put(changed, at)
      await store.append('log', [1], { puts: [withAppend.putOf(changed, at)] })
      expect(await all(withAppend)).toEqual(await all(alone))
      await alone.remove(changed)
      await store.append('log', [2], { removals: [withAppend.removalOf(changed)] })
      expect(await all(withAppend)).toEqual(await all(alone))
    }),
  )
})

it('is empty when it was cleared, and alone', async () => {
  const store = memoryStore()
  const [set, other] = [
    await setOf('s', [{ member: 'a', score: 1 }], store),
    await setOf('t', [{ member: 'a', score: 1 }], store),
  ]
  await set.clear()
  expect([await set.count({ upTo: 5 }), await other.count({ upTo: 5 })]).toEqual([0, 1])
  await set.put('b', 1)
  expect(await all(set)).toEqual([{ member: 'b', score: 1 }])
})
