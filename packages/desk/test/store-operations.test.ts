// What an ask on a desk costs is how often the store is asked: as many times on a fast machine as on a slow one.
import { memoryStore } from 'beckon'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Caller } from '../../../bench/desk/load/caller.mjs'
import { Person } from '../../../bench/desk/load/person.mjs'
import { openNode } from '../../../bench/desk/node/node.mjs'
import { countedStore } from '../../../bench/durable/operations/count-operations.mjs'

const counted = countedStore({ ...memoryStore(), shared: true })
let node: Awaited<ReturnType<typeof openNode>>
let other: Awaited<ReturnType<typeof openNode>>
let people: Person[]
let caller: Caller

beforeAll(async () => {
  node = await openNode({ store: counted.store })
  other = await openNode({ store: counted.store })
  people = [await Person.open(node.url, 'here'), await Person.open(other.url, 'there')]
  for (const person of people) await person.answerAll()
  caller = new Caller(node.url)
})

afterAll(async () => {
  caller.close()
  for (const person of people) person.close()
  await other.close()
  await node.close()
})

/** Of the one with the fewest: what a node does every second falls into some, on a busy machine into most. */
async function operationsOf(cycle: () => Promise<unknown>): Promise<Record<string, number>> {
  await cycle()
  const all: Record<string, number>[] = []
  for (let time = 0; time < 9; time++) {
    await counted.quiet()
    counted.reset()
    await cycle()
    await counted.quiet()
    all.push(counted.operations())
  }
  return all.sort((a, b) => total(a) - total(b))[0] ?? {}
}

const total = (operations: Record<string, number>) => Object.values(operations).reduce((sum, each) => sum + each, 0)

it('opens an ask and takes its answer with an append each, and tells other nodes once for each', async () => {
  expect(await operationsOf(() => node.ask('here'))).toEqual({ append: 2, publish: 2 })
})

it('takes no more where it is answered on another node: nobody reads what the messages bring', async () => {
  expect(await operationsOf(() => node.ask('there'))).toEqual({ append: 2, publish: 2 })
})

it('runs a whole call whose ask is on the desk with at most 11 operations', async () => {
  expect(total(await operationsOf(() => caller.call('here')))).toBeLessThanOrEqual(11)
})

it('waits for five of them, one after the other, until its client has the result', async () => {
  const waits: number[] = []
  await operationsOf(async () => {
    await caller.call('here')
    waits.push(counted.waits)
  })
  // Something else may be counted among them, and on a busy machine what ends before the client has the result.
  expect(Math.min(...waits)).toBe(5)
})
