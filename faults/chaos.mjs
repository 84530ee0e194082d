// What goes wrong in a run, and when: in step with its calls and not with the clock, so that a slow machine gets the same.
import { pause } from './client.mjs'

/**
 * A process is killed; the store is ended; the network between the two is cut, or stands still; an acknowledgement of the store
 * is lost; the end of a log is.
 * @typedef {'kill' | 'restart' | 'cut' | 'stall' | 'lose' | 'shorten'} Fault
 */

/** What an append may have whose acknowledgement is lost; `any` for the next one, whatever it has. */
const kinds = ['any', 'begun', 'asked', 'answered', 'step', 'claimed', 'replied', 'ended']

/**
 * The faults of a run, in an order that its seed gives. An acknowledgement is lost between a process and what it opened, so it needs
 * no network; a log is cut short in the data itself, which is one server's or a file's.
 * @param {import('./random.mjs').Random} random
 * @param {{ kills: number, hasNetwork: boolean, failsOver: boolean }} options where another server takes over, none of its logs is cut short
 * @returns {Fault[]}
 */
export function planFaults(random, { kills, hasNetwork, failsOver }) {
  const network = hasNetwork
    ? { restart: Math.ceil(kills / 6), cut: Math.ceil(kills / 4), stall: Math.ceil(kills / 4) }
    : {}
  return shuffled(random, { kill: kills, ...network, lose: kills * 2, shorten: failsOver ? 0 : kills })
}

/**
 * Each as often as is said, in an order that the seed gives.
 * @template {string} F
 * @param {import('./random.mjs').Random} random
 * @param {Partial<Record<F, number>>} times
 * @returns {F[]}
 */
export function shuffled(random, times) {
  const faults = Object.entries(times).flatMap(([fault, count]) => Array(count).fill(fault))
  return faults
    .map(fault => ({ fault, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ fault }) => fault)
}

/**
 * Does one after the other, spread over the calls of a run.
 * @param {object} options
 * @param {readonly Fault[]} options.faults
 * @param {import('./random.mjs').Random} options.random
 * @param {readonly import('./cluster.mjs').TestNode[]} options.nodes
 * @param {readonly import('./cut-proxy.mjs').CutProxy[]} options.proxies
 * @param {() => Promise<unknown>} options.restart of the store
 * @param {(count: number) => Promise<void>} options.shorten takes so many entries off the end of some log
 * @param {(share: number) => Promise<boolean>} options.progress waits until this share of the calls is done; false to stop
 * @param {(fault: Fault) => void} options.onFault
 */
export async function causeFaults({ faults, random, nodes, proxies, restart, shorten, progress, onFault }) {
  for (const [index, fault] of faults.entries()) {
    if (!(await progress((index + 1) / (faults.length + 1)))) return
    await pause(random.between(0, 30))
    onFault(fault)
    if (fault === 'kill') await random.pick(nodes).kill()
    else if (fault === 'restart') await restart()
    else if (fault === 'lose')
      random.pick(nodes).lose({ kind: random.pick(kinds), lateMs: random.next() < 0.3 ? random.between(1, 40) : 0 })
    else if (fault === 'shorten') await shorten(random.between(1, 4))
    else if (fault === 'cut') await random.pick(proxies).cut(random.between(50, 800))
    else await random.pick(proxies).stall(random.between(50, 3_000))
  }
}
