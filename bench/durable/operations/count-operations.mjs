// How many operations of the store one ask takes, on each wire, from the first request until nothing is left to do.
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { deskCalls } from '../contenders/beckon/desk-calls.mjs'
import { rounds } from '../contenders/beckon/rounds.mjs'
import { tasks } from '../contenders/beckon/tasks.mjs'

/** @typedef {import('../contenders/beckon/door.mjs').Internals} Internals */
/** @typedef {import('../contenders/contender.mjs').Contender} Contender */
/** @typedef {import('beckon/store').Store} Store */

/** So many of each wire at most, besides what the client of a task looks at. */
export const bounds = { rounds: 2, tasks: 3, desk: 5 }

/** @typedef {keyof typeof bounds} Wire */

/**
 * @typedef {object} Operations
 * @property {number} own without those for looks
 * @property {number} forLooks a look is one read at most
 * @property {number} waits how many, at most, come one after the other
 * @property {Record<string, number>} byName all of them
 */

/** @type {Record<Wire, (internals: Internals, store: Store) => Contender & { readonly looks?: number }>} */
const wires = { rounds, tasks, desk: deskCalls }
const calls = 9
/** Nothing goes on in a store that was quiet for so many turns of the event loop. */
const quietTurns = 20
const operationMs = 10

/**
 * @param {Wire} wire
 * @param {Internals} internals
 * @param {Store} store closed at the end
 * @returns {Promise<Operations>} of the call with the fewest: what a node does every second falls into some, on a busy machine into most
 */
export async function countOperations(wire, internals, store) {
  const counted = countedStore(store)
  const contender = wires[wire](internals, counted.store)
  await contender.cycle() // joins, and makes what is there once
  await counted.quiet()
  /** @type {Operations[]} */
  const all = []
  for (let call = 0; call < calls; call++) {
    counted.reset()
    const looks = contender.looks ?? 0
    await contender.cycle()
    await counted.quiet()
    const byName = counted.operations()
    const forLooks = Math.min((contender.looks ?? 0) - looks, byName.read ?? 0)
    const total = Object.values(byName).reduce((sum, count) => sum + count, 0)
    all.push({ own: total - forLooks, forLooks, waits: counted.waits, byName })
  }
  await contender.close()
  return all.reduce((fewest, one) => (one.own < fewest.own ? one : fewest))
}

/**
 * A store that counts what is called.
 * @param {Store} store
 */
export function countedStore(store) {
  /** @type {Record<string, number>} */
  let operations = {}
  let open = 0
  let started = 0
  /** How many of those that ended came one after the other. */
  let waits = 0
  const counted = new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function' || typeof name !== 'string' || name === 'close') return value
      return async (/** @type {unknown[]} */ ...args) => {
        operations[name] = (operations[name] ?? 0) + 1
        started++
        // A message may be lost, so nobody waits for one.
        if (name === 'publish') return value.apply(target, args)
        open++
        const place = waits + 1
        try {
          const result = await value.apply(target, args)
          // As a database would, it takes longer than what is called beside it takes to begin, and than a reply takes to its client.
          await pause(operationMs)
          return result
        } finally {
          open--
          waits = Math.max(waits, place)
        }
      }
    },
  })
  return {
    store: counted,
    operations: () => operations,
    /**
     * The longest row of operations of which each began when the one before it had ended. Something else may stand in that row, so it
     * is that many at most.
     */
    get waits() {
      return waits
    },
    reset() {
      operations = {}
      waits = 0
    },
    /** Resolves when nothing is on its way any more. */
    async quiet() {
      for (let turns = 0, seen = started; turns < quietTurns; turns++) {
        await turn()
        if (open > 0 || started !== seen) turns = 0
        seen = started
      }
    },
  }
}
