import { inTime } from '../../in-time.mjs'
import { pushCaller, roundsCaller } from './callers.mjs'

/** @typedef {import('./callers.mjs').Caller} Caller */
/** @typedef {import('./server-process.mjs').ServerProcess} ServerProcess */
/** @typedef {import('../servers/contenders.mjs').Contender} Contender */

/**
 * @typedef {object} Sample
 * @property {number} perSecond calls
 * @property {number} cpuUs of the server, a call
 * @property {number} serverBusy CPU time over wall time
 */

/**
 * Calls without pause, `atOnce` at a time, for `ms` after a warm-up; fails on the first wrong result.
 * @param {{ server: ServerProcess, contender: Contender, atOnce: number, ms: number, least?: number }} options with how many
 *   calls warm it up, at least
 * @returns {Promise<Sample>}
 */
export function measure({ server, contender, atOnce, ms, least }) {
  const open = contender.wire === 'push' ? pushCaller : roundsCaller
  const name = `${contender.name} (${contender.wire})`
  return measureCallers({ server, name, open: () => open(server.url, contender), atOnce, ms, least })
}

/**
 * The same for callers of any kind.
 * @param {{ server: ServerProcess, name: string, open: () => Promise<Caller>, atOnce: number, ms: number, least?: number | undefined }} options
 * @returns {Promise<Sample>}
 */
export async function measureCallers({ server, name, open, atOnce, ms, least = 0 }) {
  const callers = await Promise.all(Array.from({ length: atOnce }, open))
  try {
    await callAll(callers, ms / 4, least)
    const before = await server.cpuUs()
    const start = performance.now()
    const calls = await callAll(callers, ms)
    const seconds = (performance.now() - start) / 1000
    const cpuUs = (await server.cpuUs()) - before
    return { perSecond: calls / seconds, cpuUs: cpuUs / calls, serverBusy: cpuUs / 1e6 / seconds }
  } catch (error) {
    throw new Error(`${name} failed. ${server.errors()}`, { cause: error })
  } finally {
    for (const caller of callers) caller.close()
  }
}

/**
 * @param {Caller[]} callers
 * @param {number} ms
 * @param {number} [least] so many calls, however long that takes
 * @returns {Promise<number>} how many calls were made
 */
async function callAll(callers, ms, least = 0) {
  const until = performance.now() + ms
  let calls = 0
  /** @param {Caller} caller */
  async function run(caller) {
    do await caller.call(`person-${++calls}`)
    while (performance.now() < until || calls < least)
  }
  await inTime(Promise.all(callers.map(run)), ms + 20_000 + least * 20)
  return calls
}
