// The fault runs, store by store, as tests.
import { hasPatroni } from '../scripts/services/patroni.mjs'
import { findPostgres } from '../scripts/services/postgres.mjs'
import { hasPostgresStandby } from '../scripts/services/postgres-standby.mjs'
import { findRedis } from '../scripts/services/redis.mjs'
import { hasRedisCluster } from '../scripts/services/redis-cluster.mjs'
import { hasRedisSentinel } from '../scripts/services/redis-sentinel.mjs'
import { none, sum } from '../scripts/tally.mjs'
import { runFaults } from './run-faults.mjs'

/** @typedef {import('../scripts/tally.mjs').Tally} Tally */
/** @typedef {import('./store-under-test.mjs').StoreKind} StoreKind */
/** @typedef {import('./run-faults.mjs').FaultReport} FaultReport */

/** @type {readonly StoreKind[]} */
export const stores = ['sqlite', 'postgres', 'redis']

/**
 * Runs each store with each seed, and prints what happened, with a total at the end.
 * @param {object} options
 * @param {number} options.calls in each run
 * @param {number} options.kills
 * @param {readonly StoreKind[]} [options.only]
 * @param {readonly number[]} [options.seeds]
 * @param {string | undefined} [options.older] the process of an older version, which runs beside this one
 * @returns {Promise<Tally>}
 */
export async function runFaultSuite({ calls, kills, only = stores, seeds = [Date.now() % 1_000_000], older }) {
  /** @type {Tally[]} */
  const tallies = []
  /** @type {FaultReport[]} */
  const reports = []
  for (const store of only) {
    if (!isHere[store]()) {
      console.log(`- faults, ${store}: skipped, since there is no server`)
      tallies.push({ ...none, skipped: 1 })
      continue
    }
    for (const seed of seeds) {
      const report = await runFaults({ store, seed, calls, kills, older })
      const isGood = report.losses.length === 0
      console.log(`${isGood ? '✓' : '✗'} faults, ${store}, seed ${seed}: ${describe([report])}`)
      for (const line of [...report.losses, ...report.logs]) console.error(`  ${line}`)
      tallies.push(isGood ? { ...none, passed: 1 } : { ...none, failed: 1 })
      reports.push(report)
    }
  }
  console.log(`faults in all: ${describe(reports)}`)
  return sum(tallies)
}

/** Whether this machine has what a store needs: a server of our own, since it is killed. @type {Record<StoreKind, () => boolean>} */
export const isHere = {
  sqlite: () => true,
  postgres: () => findPostgres() !== undefined,
  redis: () => findRedis() !== undefined,
  standby: hasPostgresStandby,
  patroni: hasPatroni,
  sentinel: hasRedisSentinel,
  cluster: hasRedisCluster,
}

/** In the order in which they are told. @type {Record<Exclude<keyof FaultReport, 'losses' | 'logs' | 'replays'>, string>} */
const words = {
  calls: 'calls',
  kills: 'kills',
  restarts: 'restarts of the store',
  cuts: 'cuts of the network',
  lost: 'acknowledgements lost',
  shortened: 'logs cut short',
  broken: 'of them ended with an error',
  atDesk: 'answers on the desk',
  races: 'asks with two different answers',
  failures: 'requests sent again',
  again: 'effects again, since they were not recorded',
  expired: 'calls left unanswered, which ended',
  accepted: 'answers accepted',
  found: 'of them in their journal once',
  stepsAgain: 'recorded steps run again',
}

/** @param {readonly FaultReport[]} reports */
function describe(reports) {
  const figures = Object.entries(words).map(([name, word]) => {
    const key = /** @type {keyof typeof words} */ (name)
    return `${reports.reduce((total, report) => total + report[key], 0)} ${word}`
  })
  return [
    ...figures,
    describeReplays(reports),
    `${reports.reduce((total, { losses }) => total + losses.length, 0)} losses`,
  ].join(', ')
}

/** @param {readonly FaultReport[]} reports */
function describeReplays(reports) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { replays } of reports)
    for (const [cause, count] of Object.entries(replays)) counts.set(cause, (counts.get(cause) ?? 0) + count)
  return `handlers entered again (${Array.from(counts, ([cause, count]) => `${cause}: ${count}`).join(', ')})`
}
