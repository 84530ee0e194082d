import { setTimeout as pause } from 'node:timers/promises'
import { median } from '../../median.mjs'

/** @typedef {import('./work.mjs').Work} Work */

/**
 * What one slice came to.
 * @typedef {object} Figures
 * @property {number} perSecond
 * @property {number} p50Ms
 * @property {number} cpuMs of all nodes, for each
 */

/**
 * How long, and how often.
 * @typedef {object} Pace
 * @property {number} warmEach how much each process has done before anything is measured: a node runs for days, and one of three
 *   gets a third of the work
 * @property {number} warmMs then it is measured all the same
 * @property {number} sliceMs at least
 * @property {number} repetitions
 * @property {number} maxMs then there are no more repetitions, but at least one
 */

const maxSliceMs = 8_000

/**
 * Everyone for a moment, again and again: the machine is shared, and drifts.
 * @param {ReadonlyMap<string, Work>} contenders
 * @param {{ atOnce: number, warmsUp: boolean, pace: Pace }} options
 * @returns {Promise<Map<string, Figures[]>>} by name, then by repetition
 */
export async function inTurn(contenders, { atOnce, warmsUp, pace }) {
  /** @type {Map<string, Figures[]>} */
  const all = new Map([...contenders.keys()].map(name => [name, []]))
  const { sliceMs, repetitions, maxMs } = pace
  if (warmsUp) for (const work of contenders.values()) await warmUp(work, atOnce, pace)
  const began = performance.now()
  for (let time = 0; time < repetitions; time++) {
    if (time > 0 && performance.now() - began > maxMs) break
    for (const [name, work] of contenders) all.get(name)?.push(await slice(work, atOnce, sliceMs))
  }
  return all
}

/**
 * @param {Work} work
 * @param {number} atOnce
 * @param {Pace} pace
 */
async function warmUp(work, atOnce, { warmEach, warmMs }) {
  await work.begin(atOnce)
  await work.mark()
  const began = performance.now()
  while ((await work.count()) < warmEach * work.processes && performance.now() - began < warmMs) await pause(100)
  await work.stop()
}

/**
 * @param {Work} work
 * @param {number} atOnce
 * @param {number} ms
 * @returns {Promise<Figures>}
 */
async function slice(work, atOnce, ms) {
  await work.begin(atOnce)
  await work.mark()
  const began = performance.now()
  await pause(ms)
  // They may come in waves: less than one of each says nothing about how many there are in a second.
  while ((await work.count()) < atOnce && performance.now() - began < maxSliceMs) await pause(20)
  const { times, seconds, cpuMs } = await work.take()
  await work.stop()
  return { perSecond: times.length / seconds, p50Ms: median(times), cpuMs: cpuMs / times.length }
}
