// Runs one target in this process: so many inputs, some at once, and beside them somebody who uses the same thing as it is meant to be
// used. Every input has numbers of its own, from the seed and its place, so that it can be had again whatever came before it.
import { setTimeout } from 'node:timers/promises'
import { createRandom } from '../faults/random.mjs'

/** @typedef {import('../faults/random.mjs').Random} Random */

/**
 * What is attacked.
 * @typedef {object} Open
 * @property {(random: Random) => Promise<void> | void} attack sends one input; throws a `Finding` when what came back is nothing documented
 * @property {(nth: number) => Promise<void>} honest uses it as meant; throws when anything is not right
 * @property {() => Promise<void> | void} [close]
 */

/**
 * @typedef {object} Target
 * @property {number} share of all inputs, beside the shares of the others
 * @property {number} atOnce how many inputs are under way together
 * @property {number} honestEvery inputs between two uses by somebody honest
 * @property {(findings: Findings) => Promise<Open>} open
 */

/**
 * What a run came to.
 * @typedef {object} FuzzReport
 * @property {string} target
 * @property {number} seed
 * @property {number} inputs
 * @property {number} honest
 * @property {number} seconds
 * @property {number} heapBefore MiB that are still held when nothing is under way, once a tenth of the inputs were through
 * @property {number} heapAfter at the end
 * @property {string[]} findings
 */

/** Something came back, or happened, that nothing documents. */
export class Finding extends Error {}

/** @typedef {(what: string) => void} Findings told of what no input waits for: a rejection that nobody handled, an error of the desk's own */

/** Beyond this, what is held at the end is not what was held before: caches with bounds, and what the machine compiled. */
const levelMiB = 24

/**
 * @param {string} name
 * @param {Target} target
 * @param {{ inputs: number, seed: number }} options
 * @returns {Promise<FuzzReport>}
 */
export async function runTarget(name, { atOnce, honestEvery, open }, { inputs, seed }) {
  /** @type {Map<string, string>} */
  const found = new Map()
  let place = 0
  /** @param {string} what */
  const findings = what => {
    // The same from another input is the same.
    const kind = what
      .replace(/^input \d+: /, '')
      .slice(0, 120)
      .replace(/\d+/g, '0')
    if (found.size < 20 && !found.has(kind)) found.set(kind, what)
  }
  /** @param {unknown} reason */
  const onRejection = reason => findings(`a rejection that nobody handled: ${described(reason)}`)
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onRejection)
  const began = performance.now()
  const opened = await open(findings)
  let honest = 0
  async function useIt() {
    await opened.honest(++honest).catch(error => findings(`somebody honest got something wrong: ${described(error)}`))
  }
  /** @param {number} last */
  async function attackUntil(last) {
    while (place < last) {
      const nth = ++place
      try {
        await opened.attack(createRandom(Math.imul(seed, 0x9e3779b1) + nth))
      } catch (error) {
        findings(`input ${nth}: ${described(error)}`)
      }
      if (nth % honestEvery === 0) await useIt()
      if ('isPolluted' in {}) throw new Error(`Input ${nth} has changed what every object has.`)
    }
  }
  /** @param {number} last */
  const attackTo = last => Promise.all(Array.from({ length: atOnce }, () => attackUntil(last)))
  await useIt()
  await attackTo(Math.ceil(inputs / 10))
  const heapBefore = await heapMiB()
  await attackTo(inputs)
  await useIt()
  const heapAfter = await heapMiB()
  if (heapAfter > heapBefore + levelMiB) findings(`the heap went from ${heapBefore} to ${heapAfter} MiB`)
  const seconds = (performance.now() - began) / 1000
  await opened.close?.()
  process.off('unhandledRejection', onRejection)
  process.off('uncaughtException', onRejection)
  return { target: name, seed, inputs, honest, seconds, heapBefore, heapAfter, findings: [...found.values()] }
}

/** Once nothing is under way. What a connection held that was just closed is let go of a few turns later. */
async function heapMiB() {
  for (let turn = 0; turn < 5; turn++) {
    if (globalThis.gc === undefined) throw new Error('Run this with --expose-gc.')
    globalThis.gc()
    await setTimeout(20)
  }
  return Math.round(process.memoryUsage().heapUsed / 2 ** 20)
}

/** @param {unknown} error */
function described(error) {
  if (error instanceof Finding) return error.message
  return error instanceof Error ? (error.stack ?? error.message).slice(0, 1_500) : JSON.stringify(error)?.slice(0, 500)
}
