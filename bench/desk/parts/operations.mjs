// How many operations of the store an ask takes, and a whole call, from its start until nothing is left to do. A count,
// which no machine makes better or worse.
import { setTimeout as pause } from 'node:timers/promises'
import { memoryStore } from 'beckon'
import { countedStore } from '../../durable/operations/count-operations.mjs'
import { Caller } from '../load/caller.mjs'
import { Person } from '../load/person.mjs'
import { openNode } from '../node/node.mjs'

/** @typedef {{ total: number, waits: number, byName: Record<string, number> }} Count */

const times = 9
/** By then a node knows that it is alone, and tells nobody what it does. */
const aloneMs = 6_000

/** @param {import('../load/context.mjs').Context} context */
export async function operations({ aims }) {
  const counted = countedStore({ ...memoryStore(), shared: true })
  const node = await openNode({ store: counted.store })
  const person = await Person.open(node.url, 'p0')
  await person.answerAll()
  await pause(aloneMs)
  const caller = new Caller(node.url)
  console.log('\nOperations of the store, until nothing is left to do')
  const ask = await count(counted, () => node.ask('p0'))
  print('an ask', ask)
  const call = await count(counted, () => caller.call('p0'))
  print('a call', call)
  aims.add('operations of a call whose ask is on the desk', call.total, { atMost: 14 })
  aims.add('of which it waits for one after the other', call.waits, { atMost: 4 })
  caller.close()
  person.close()
  await node.close()
}

/**
 * @param {ReturnType<typeof countedStore>} counted
 * @param {() => Promise<unknown>} cycle
 * @returns {Promise<Count>} of one such as most are: a heartbeat may fall into one
 */
async function count(counted, cycle) {
  await cycle() // makes what is there once
  /** @type {Count[]} */
  const all = []
  for (let time = 0; time < times; time++) {
    await counted.quiet()
    counted.reset()
    await cycle()
    const { waits } = counted
    await counted.quiet()
    const byName = counted.operations()
    all.push({ total: Object.values(byName).reduce((sum, each) => sum + each, 0), waits, byName })
  }
  // There is one in the middle.
  const middle = /** @type {Count} */ (all.sort((a, b) => a.total - b.total)[times >> 1])
  return { ...middle, waits: Math.min(...all.map(({ waits }) => waits)) }
}

/**
 * @param {string} what
 * @param {Count} count
 */
function print(what, { total, waits, byName }) {
  const names = Object.entries(byName).map(([name, each]) => `${name} ${each}`)
  console.log(`  ${what}  ${total}, ${waits} waits one after the other until it is back  (${names.join(', ')})`)
}
