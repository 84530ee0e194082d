import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { beforeEach, expect, it } from 'vitest'
import { deskStore } from '../desk-parts.js'
import { EndedNames } from './ended-names.js'

const hourMs = 60 * 60 * 1000
let clock: TestClock
let store: Store
let names: EndedNames

beforeEach(() => {
  clock = createTestClock()
  store = memoryStore({ clock })
  names = new EndedNames({ store: deskStore(store), clock, node: 'here', keepMs: 1_000 })
})

const put = (member: string) => ({ set: 'ended/gone', member, score: clock.now() })

/** As an append does it. */
async function append(...members: string[]): Promise<void> {
  const puts = members.map(put)
  const lists = names.listsFor(puts)
  for (const { set, member, score } of [...puts, ...lists]) await store.put(`desk/${set}`, member, score)
  names.listed(lists)
}

const left = async () => [
  await store.count('desk/ended/gone', { upTo: 1_000 }),
  await store.count('desk/waiting', { upTo: 10 }),
]

it('the list of another node is listed once an hour', async () => {
  expect(names.listsFor([put('s/1'), put('s/2'), { set: 'due', member: 's/1', score: 1 }])).toHaveLength(1)
  await append('s/1')
  expect(names.listsFor([put('s/3')])).toEqual([])
  await clock.advance(hourMs)
  expect(names.listsFor([put('s/3')])).toEqual([{ set: 'waiting', member: 'gone', score: clock.now() }])
})

it('what a node did not live to see goes a day later, and its list with it', async () => {
  await append(...Array.from({ length: 450 }, (_, n) => `s/${n}`))
  await clock.advance(20 * hourMs)
  await append('s/late')
  await names.forgetOld()
  expect(await left()).toEqual([451, 1])
  await clock.advance(5 * hourMs)
  await names.forgetOld()
  expect(await left()).toEqual([1, 1])
  await clock.advance(20 * hourMs)
  await names.forgetOld()
  expect(await left()).toEqual([0, 0])
})

it('what was seen goes with an append, a bounded number with each, or by itself', async () => {
  const members = Array.from({ length: 70 }, (_, n) => `s/${n}`)
  for (const member of members) await store.put('desk/ended/here', member, 1)
  names.seen(...members)
  const taken = names.takeSeen()
  expect(taken).toHaveLength(50)
  expect(names.takeSeen()).toHaveLength(20)
  // Those appends did not succeed.
  names.seen(...members)
  await names.removeSeen()
  expect(await store.count('desk/ended/here', { upTo: 100 })).toBe(0)
  expect(names.takeSeen()).toEqual([])
})
