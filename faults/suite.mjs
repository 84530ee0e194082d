// The fault runs, store by store, as tests.
import { findPostgres } from '../scripts/services/postgres.mjs'
import { findRedis } from '../scripts/services/redis.mjs'
import { none, sum } from '../scripts/tally.mjs'
import { runFaults } from './run-faults.mjs'

/** @typedef {import('../scripts/tally.mjs').Tally} Tally */
/** @typedef {import('./run-faults.mjs').FaultRun['store']} StoreKind */

/** @type {readonly StoreKind[]} */
export const stores = ['sqlite', 'postgres', 'redis']

/**
 * @param {object} options
 * @param {number} options.calls
 * @param {number} options.kills
 * @param {readonly StoreKind[]} [options.only]
 * @param {number} [options.seed]
 * @returns {Promise<Tally>}
 */
export async function runFaultSuite({ calls, kills, only = stores, seed = Date.now() % 1_000_000 }) {
  /** @type {Tally[]} */
  const tallies = []
  for (const store of only) {
    if (!isHere[store]()) {
      console.log(`- faults, ${store}: skipped, since there is no server`)
      tallies.push({ ...none, skipped: 1 })
      continue
    }
    const { losses, ...counts } = await runFaults({ store, seed, calls, atOnce: 15, kills })
    const figures = Object.entries(counts).map(([name, count]) => `${count} ${words[name] ?? name}`)
    const isGood = losses.length === 0
    console.log(`${isGood ? '✓' : '✗'} faults, ${store}, seed ${seed}: ${figures.join(', ')}, ${losses.length} losses`)
    for (const loss of losses) console.error(`  ${loss}`)
    tallies.push(isGood ? { ...none, passed: 1 } : { ...none, failed: 1 })
  }
  return sum(tallies)
}

/** Whether this machine has what a store needs: a server of our own, since it is killed. @type {Record<StoreKind, () => boolean>} */
const isHere = {
  sqlite: () => true,
  postgres: () => findPostgres() !== undefined,
  redis: () => findRedis() !== undefined,
}

/** @type {Record<string, string>} */
const words = {
  storeRestarts: 'restarts of the store',
  cuts: 'cuts of the network',
  races: 'rounds with two different answers',
  failures: 'requests sent again',
  replays: 'replays',
  again: 'effects again, since they were not recorded',
}
