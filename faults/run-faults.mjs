// Hundreds of calls on several processes with one store, while processes are killed, stores are restarted and networks
// fail. Afterwards every call has ended as its answers say, each answer is in the record of its call once, and no recorded
// step has run again. A run always reports: what has not ended when its time is over is a loss.
import { sealedStore } from 'beckon/store'
import { Caller } from './caller.mjs'
import { causeFaults, planFaults } from './chaos.mjs'
import { Client, pause } from './client.mjs'
import { startNode } from './cluster.mjs'
import { startCutProxy } from './cut-proxy.mjs'
import { compare, journalOf } from './journals.mjs'
import { openFor } from './open-store.mjs'
import { createRandom } from './random.mjs'
import { startStore } from './store-under-test.mjs'
import { startWitness } from './witness.mjs'

/**
 * @typedef {object} FaultRun
 * @property {import('./store-under-test.mjs').StoreKind} store
 * @property {number} seed
 * @property {number} calls at least so many: there are calls for as long as there are faults
 * @property {number} kills
 */

/**
 * @typedef {object} FaultReport
 * @property {number} calls
 * @property {number} kills processes that were killed
 * @property {number} restarts of the store
 * @property {number} cuts of the network between a process and the store
 * @property {number} races asks with two different answers at once
 * @property {number} failures requests that failed, and were sent again
 * @property {number} replays handlers that were run again from their journal
 * @property {number} again effects that ran again because their process ended before they were recorded
 * @property {number} expired calls whose last question nobody answered, and which ended all the same
 * @property {number} accepted answers that a client was told are taken
 * @property {number} found those of them that are in the record of their call, once
 * @property {string[]} losses
 */

const atOnce = 15
const leaseMs = 3_000
/** A call that is open for so long hangs: many times what one takes on a machine that has other things to do. */
const hangsAfterMs = 4 * 60_000
/** For what goes wrong in the faults themselves. */
const longestMs = 20 * 60_000
/** Clocks that disagree by a minute. */
const offsets = [-30_000, 0, 30_000]

/**
 * @param {FaultRun} options
 * @returns {Promise<FaultReport>}
 */
export async function runFaults({ store: kind, seed, calls, kills }) {
  const random = createRandom(seed)
  const store = await startStore(kind)
  const witness = await startWitness()
  /** @type {string[]} */
  const losses = []
  const { port } = store
  const proxies = port === undefined ? [] : await Promise.all(offsets.map(() => startCutProxy(port)))
  const nodes = await Promise.all(
    offsets.map((offsetMs, index) =>
      startNode(
        {
          storeUrl: store.urlAt(proxies[index]?.port),
          witnessUrl: witness.url,
          // A file has no clock of its own: there the clocks have to agree.
          offsetMs: kind === 'sqlite' ? 0 : offsetMs,
          leaseMs,
        },
        problem => losses.push(problem),
      ),
    ),
  )
  const client = new Client(nodes, random)
  const caller = new Caller(client, random)
  /** @type {import('./chaos.mjs').Fault[]} */
  const caused = []
  let done = 0
  let isOver = false
  let isQuiet = false

  async function makeCalls() {
    while (!isOver && (caller.calls.length < calls || !isQuiet)) {
      const tag = `call${caller.calls.length}`
      try {
        for (const id of await caller.call(tag))
          if (!witness.effects.has(id)) losses.push(`${tag}: the effect of a recorded step never happened`)
      } catch (error) {
        if (!isOver) losses.push(`${tag}: ${error instanceof Error ? error.message : error}`)
      }
      done++
    }
  }

  async function makeFaults() {
    /** @param {number} share */
    const progress = async share => {
      while (!isOver && done < share * calls) await pause(5)
      return !isOver
    }
    const faults = planFaults(random, { kills, hasNetwork: proxies.length > 0 })
    const onFault = (/** @type {import('./chaos.mjs').Fault} */ fault) => caused.push(fault)
    await causeFaults({ faults, random, nodes, proxies, restart: store.restart, progress, onFault })
    isQuiet = true
  }

  async function untilSomethingHangs() {
    const until = Date.now() + longestMs
    const hangs = () => caller.calls.some(({ isOpen, since }) => isOpen && Date.now() - since > hangsAfterMs)
    while (!isOver && Date.now() < until && !hangs()) await pause(500)
  }

  const work = Promise.all([...Array.from({ length: atOnce }, makeCalls), makeFaults()]).catch(error => {
    losses.push(String(error))
  })
  await Promise.race([work, untilSomethingHangs()])
  isOver = true
  if (!isQuiet) losses.push(`only ${caused.length} faults were caused before the time was over`)
  for (const { tag, since, waitsFor, isLeft, isOpen } of caller.calls)
    if (isOpen) {
      const how = isLeft ? 'hangs past its expiry' : 'hangs'
      losses.push(`${tag}: ${how}, after ${Math.round((Date.now() - since) / 1_000)} s it waits for ${waitsFor}`)
    }
  client.stop()
  for (const node of nodes) node.end()
  const kept = await readRecords(store.urlAt(port), caller.calls, witness)
  for (const proxy of proxies) proxy.close()
  witness.close()
  await store.end()
  const { again, violations } = witness.judge()
  /** @param {import('./chaos.mjs').Fault} wanted */
  const count = wanted => caused.filter(fault => fault === wanted).length
  return {
    calls: done,
    kills: count('kill'),
    restarts: count('restart'),
    cuts: count('cut') + count('stall'),
    races: caller.races,
    failures: client.failures,
    replays: witness.replays,
    again,
    expired: caller.calls.filter(({ isLeft, hasEnded }) => isLeft && hasEnded).length,
    accepted: caller.calls.reduce((sum, { given }) => sum + given.size, 0),
    found: kept.found,
    losses: [...losses, ...kept.losses, ...violations],
  }
}

/**
 * @param {string} url
 * @param {readonly import('./caller.mjs').KnownCall[]} calls
 * @param {Pick<import('./witness.mjs').Witness, 'logs' | 'writers'>} witness
 */
async function readRecords(url, calls, { logs, writers }) {
  const store = sealedStore(await openFor(url))
  /** Of a task by its id, of another call by its tag. @type {Map<string | undefined, import('./journals.mjs').Journal>} */
  const journals = new Map()
  /** @type {string[]} */
  const losses = []
  for (const log of logs) {
    const lines = (await store.read(log)).map(({ value }) => /** @type {import('./journals.mjs').Line} */ (value))
    // One that was told of, and never begun.
    if (lines.length === 0) continue
    const journal = journalOf(lines, writers)
    const name = journal.id ?? journal.tag
    if (journals.has(name)) losses.push(`${name}: its answers are in two logs`)
    journals.set(name, journal)
  }
  let found = 0
  for (const call of calls) {
    const compared = compare(call, journals.get(call.taskId ?? call.tag))
    found += compared.found
    losses.push(...compared.losses)
  }
  await store.close()
  return { found, losses }
}
