// The runs in which primaries are lost, set by set, as tests.
import { none, sum } from '../../scripts/tally.mjs'
import { isHere } from '../suite.mjs'
import { describePauses } from './pauses.mjs'
import { runFailovers } from './run-failovers.mjs'

/** @typedef {import('../../scripts/tally.mjs').Tally} Tally */
/** @typedef {import('../store-under-test.mjs').StoreKind} StoreKind */
/** @typedef {import('./run-failovers.mjs').FailoverReport} FailoverReport */

/** Those of several servers, of which another takes over when one is gone. @type {readonly StoreKind[]} */
export const failoverSets = ['patroni', 'standby', 'sentinel', 'cluster']

/**
 * @param {object} options
 * @param {number} options.failovers in each run
 * @param {readonly StoreKind[]} options.only
 * @param {readonly number[]} options.seeds
 * @param {import('../store-under-test.mjs').FailoverOptions['waitsFor']} [options.waitsFor] unless for all, what is lost is counted
 *   and is no failure: nothing was promised
 * @param {readonly string[] | undefined} [options.ways]
 * @returns {Promise<Tally>}
 */
export async function runFailoverSuite({ failovers, only, seeds, waitsFor = 'all', ways }) {
  /** @type {Tally[]} */
  const tallies = []
  /** @type {FailoverReport[]} */
  const reports = []
  const isSafe = waitsFor === 'all'
  for (const store of only) {
    const name = `failovers, ${store}${isSafe ? '' : `, a write waits for ${waitsFor} of the other servers`}`
    if (!isHere[store]()) {
      console.log(`- ${name}: skipped, since there is no server`)
      tallies.push({ ...none, skipped: 1 })
      continue
    }
    for (const seed of seeds) {
      const started = Date.now()
      const report = await runFailovers({ store, seed, failovers, options: { waitsFor, ways } })
      const isGood = report.losses.length === 0 || !isSafe
      const seconds = Math.round((Date.now() - started) / 1_000)
      console.log(`${isGood ? '✓' : '✗'} ${name}, seed ${seed}, ${seconds} s: ${describe([report])}`)
      const details = isSafe ? [...report.losses, ...report.calls.logs, ...report.desk.logs] : report.losses.slice(0, 5)
      for (const line of details) console.error(`  ${line}`)
      tallies.push(isGood ? { ...none, passed: 1 } : { ...none, failed: 1 })
      reports.push(report)
    }
  }
  if (reports.length > 1) console.log(`failovers in all: ${describe(reports)}`)
  return sum(tallies)
}

/** @param {readonly FailoverReport[]} reports */
function describe(reports) {
  /** @param {(report: FailoverReport) => number} figure */
  const total = figure => reports.reduce((all, report) => all + figure(report), 0)
  const ways = new Set(reports.flatMap(({ lost }) => Object.keys(lost)))
  const by = [...ways].map(how => `${total(({ lost }) => lost[how] ?? 0)} ${how}`).join(', ')
  const taken = total(({ calls, desk }) => calls.accepted + desk.confirmed)
  const found = total(({ calls, desk }) => calls.found + desk.found)
  const wires = /** @type {const} */ (['rounds', 'tasks', 'desk'])
  const pauses = Object.fromEntries(wires.map(wire => [wire, reports.flatMap(report => report.pauses[wire])]))
  return [
    `${total(({ lost }) => Object.values(lost).reduce((a, b) => a + b, 0))} primaries lost (${by})`,
    `${total(({ calls, desk }) => calls.kills + desk.kills + desk.crashes)} processes of ours killed`,
    `${total(({ calls }) => calls.calls)} calls and ${total(({ desk }) => desk.asks)} asks`,
    `${taken} answers acknowledged`,
    `${taken - found} of them lost`,
    `${total(({ calls }) => calls.stepsAgain)} recorded steps run again`,
    `${total(({ losses }) => losses.length)} losses of any kind`,
    `went on after, in the median: ${describePauses(/** @type {FailoverReport['pauses']} */ (pauses))}`,
  ].join(', ')
}
