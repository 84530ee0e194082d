// One set of servers, whose primary is lost again and again while calls are answered in rounds, as tasks and on a desk. What
// everyone was told is compared with what the servers have at the end.
import { pause } from '../client.mjs'
import { runDeskFaults } from '../desk/run-desk-faults.mjs'
import { runFaults } from '../run-faults.mjs'
import { startStore } from '../store-under-test.mjs'
import { Pauses } from './pauses.mjs'

/**
 * @typedef {object} FailoverRun
 * @property {import('../store-under-test.mjs').StoreKind} store
 * @property {number} seed
 * @property {number} failovers
 * @property {import('../store-under-test.mjs').FailoverOptions} [options]
 */

/**
 * @typedef {object} FailoverReport
 * @property {Record<string, number>} lost primaries, by how
 * @property {import('../run-faults.mjs').FaultReport} calls
 * @property {import('../desk/run-desk-faults.mjs').DeskFaultReport} desk
 * @property {Pauses['longest']} pauses
 * @property {string[]} losses
 */

/** Everyone works for so long between two failovers, once all of them can. */
const betweenMs = 2_000
const restMs = 100
/** A run is over after so long, however many primaries are left to lose: a machine may have other things to do. */
const longestMs = 10 * 60_000
/** A wire on which nothing was taken for so long hangs. */
const hangsAfterMs = 120_000

/**
 * @param {FailoverRun} options
 * @returns {Promise<FailoverReport>}
 */
export async function runFailovers({ store: kind, seed, failovers, options }) {
  const store = await startStore(kind, options)
  const pauses = new Pauses()
  /** @type {Record<string, number>} */
  const lost = {}
  let isRunning = true

  /** Until answers are taken on every wire. @param {number} since */
  async function goneOn(since) {
    const last = Date.now() + hangsAfterMs
    while (isRunning && !pauses.hasGoneOn(since) && Date.now() < last) await pause(20)
  }

  async function fail() {
    await goneOn(0)
    const until = Date.now() + longestMs
    for (let count = 0; count < failovers && isRunning && Date.now() < until; count++) {
      await pause(betweenMs)
      const from = Date.now()
      const how = await store.restart()
      await goneOn(Date.now())
      pauses.close(from, Date.now())
      lost[how] = (lost[how] ?? 0) + 1
    }
  }

  try {
    const failures = fail()
    // Told by the runs.
    failures.catch(() => {})
    const stop = async () => {
      isRunning = false
      await failures.catch(() => {})
    }
    const alongside = {
      stop,
      store,
      failures,
      onTaken: (/** @type {import('./pauses.mjs').Wire} */ wire) => pauses.taken(wire),
      restMs,
    }
    const kills = Math.ceil(failovers / 6)
    const few = failovers * 4
    const [calls, desk] = await Promise.all([
      runFaults({ store: kind, seed, calls: few, kills, alongside }),
      runDeskFaults({ store: kind, seed: seed + 1, asks: few, kills, alongside }),
    ])
    return { lost, calls, desk, pauses: pauses.longest, losses: [...calls.losses, ...desk.losses] }
  } finally {
    isRunning = false
    await store.end()
  }
}
