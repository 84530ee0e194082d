// The fault runs with desks, store by store, as tests.
import { none, sum } from '../../scripts/tally.mjs'
import { isHere, stores } from '../suite.mjs'
import { runDeskFaults } from './run-desk-faults.mjs'

/** @typedef {import('../../scripts/tally.mjs').Tally} Tally */
/** @typedef {import('./run-desk-faults.mjs').DeskFaultReport} DeskFaultReport */

/**
 * Runs each store with each seed, and prints what happened.
 * @param {object} options
 * @param {number} options.asks in each run
 * @param {number} options.kills
 * @param {readonly import('../store-under-test.mjs').StoreKind[]} [options.only]
 * @param {readonly number[]} options.seeds
 * @returns {Promise<Tally>}
 */
export async function runDeskFaultSuite({ asks, kills, only = stores, seeds }) {
  /** @type {Tally[]} */
  const tallies = []
  for (const store of only) {
    if (!isHere[store]()) {
      console.log(`- desk faults, ${store}: skipped, since there is no server`)
      tallies.push({ ...none, skipped: 1 })
      continue
    }
    for (const seed of seeds) {
      const started = Date.now()
      const report = await runDeskFaults({ store, seed, asks, kills })
      const isGood = report.losses.length === 0
      const seconds = Math.round((Date.now() - started) / 1_000)
      console.log(`${isGood ? '✓' : '✗'} desk faults, ${store}, seed ${seed}, ${seconds} s: ${describe(report)}`)
      for (const line of [...report.losses, ...report.logs]) console.error(`  ${line}`)
      tallies.push(isGood ? { ...none, passed: 1 } : { ...none, failed: 1 })
    }
  }
  return sum(tallies)
}

/** In the order in which they are told. @type {Record<Exclude<keyof DeskFaultReport, 'losses' | 'logs'>, string>} */
const words = {
  asks: 'asks',
  answers: 'answers by people',
  kills: 'kills',
  crashes: 'ends between two writes',
  restarts: 'restarts of the store',
  cuts: 'cuts of the network',
  lost: 'acknowledgements lost',
  shortened: 'logs cut short',
  again: 'asks put again',
  connections: 'connections',
  expired: 'asks that nobody answered, which ended',
  operations: 'operations a second of an idle desk',
  confirmed: 'answers confirmed',
  found: 'of them the outcome',
}

/** @param {DeskFaultReport} report */
function describe(report) {
  const figures = Object.entries(words).map(([name, word]) => {
    const key = /** @type {keyof typeof words} */ (name)
    return `${report[key]} ${word}`
  })
  return [...figures, `${report.losses.length} losses`].join(', ')
}
