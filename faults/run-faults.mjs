// Hundreds of calls on several processes with one store, while processes are killed, stores are restarted and networks
// fail. Afterwards every call has ended as its answers say, each answer is in the record of its call once, and no recorded
// step has run again. A run always reports: what has not ended when its time is over is a loss.
import { sealedStore } from 'beckon/store'
import { Caller } from './caller.mjs'
import { causeFaults, planFaults } from './chaos.mjs'
import { Client, pause } from './client.mjs'
import { nodeProgram, startNode } from './cluster.mjs'
import { cutLog } from './cut-log.mjs'
import { startCutProxy } from './cut-proxy.mjs'
import { startDesk } from './desk-double.mjs'
import { compare, describeLog, journalOf } from './journals.mjs'
import { linesOf } from './lines.mjs'
import { openFor } from './open-store.mjs'
import { patientStore } from './patient-store.mjs'
import { createRandom } from './random.mjs'
import { startStore } from './store-under-test.mjs'
import { startWitness, withoutCause } from './witness.mjs'

/**
 * @typedef {object} FaultRun
 * @property {import('./store-under-test.mjs').StoreKind} store
 * @property {number} seed
 * @property {number} calls at least so many: there are calls for as long as there are faults
 * @property {number} kills
 * @property {Alongside} [alongside]
 * @property {string | undefined} [older] the same process of an older version: each time one is killed, the other version comes back
 */

/**
 * What else goes on with the store while a run has its calls, or its asks: then the store is not the run's own, and it goes on
 * until that is over.
 * @typedef {object} Alongside
 * @property {import('./store-under-test.mjs').StoreUnderTest} store
 * @property {Promise<void>} failures
 * @property {() => Promise<void>} stop ends them, once the one that is under way is over
 * @property {(wire: 'rounds' | 'tasks' | 'desk') => void} onTaken told whenever somebody was told that an answer is taken
 * @property {number} restMs so long everyone rests before the next call or ask
 */

/**
 * @typedef {object} FaultReport
 * @property {number} calls
 * @property {number} kills processes that were killed
 * @property {number} restarts of the store
 * @property {number} cuts of the network between a process and the store
 * @property {number} races asks with two different answers at once
 * @property {number} failures requests that failed, and were sent again
 * @property {number} lost appends that took effect, and whose process was told that they had not
 * @property {number} shortened logs whose end was taken away
 * @property {number} broken calls that ended with an error for that
 * @property {number} atDesk answers that were given on the desk
 * @property {Record<string, number>} replays handlers that were entered again, by cause
 * @property {number} again effects that ran again because their process ended before they were recorded
 * @property {number} expired calls whose last question nobody answered, and which ended all the same
 * @property {number} accepted answers that a client was told are taken
 * @property {number} found those of them that are in the record of their call, once
 * @property {number} stepsAgain recorded steps that ran again
 * @property {string[]} losses
 * @property {string[]} logs of the calls that something was lost of
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
export async function runFaults({ store: kind, seed, calls, kills, alongside, older }) {
  const random = createRandom(seed)
  const store = alongside?.store ?? (await startStore(kind))
  const witness = await startWitness()
  const desk = await startDesk()
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
          deskUrl: desk.url,
          // A file has no clock of its own: there the clocks have to agree.
          offsetMs: kind === 'sqlite' ? 0 : offsetMs,
          leaseMs,
        },
        problem => losses.push(problem),
        older === undefined ? [nodeProgram] : index % 2 === 0 ? [nodeProgram, older] : [older, nodeProgram],
      ),
    ),
  )
  const client = new Client(nodes, random)
  const caller = new Caller(client, random, desk)
  if (alongside !== undefined) caller.onTaken = alongside.onTaken
  /** @type {import('./chaos.mjs').Fault[]} */
  const caused = []
  let done = 0
  /** What was taken away, by the log. @type {Map<string, string>} */
  const shortened = new Map()
  let isOver = false
  let isQuiet = false

  async function makeCalls() {
    while (!isOver && (caller.calls.length < calls || !isQuiet)) {
      const tag = `call${caller.calls.length}`
      try {
        const { steps } = await caller.call(tag)
        for (const id of steps)
          if (!witness.effects.has(id)) losses.push(`${tag}: the effect of a recorded step never happened`)
      } catch (error) {
        if (!isOver) losses.push(`${tag}: ${error instanceof Error ? error.message : error}`)
      }
      done++
      if (alongside !== undefined) await pause(alongside.restMs)
    }
  }

  /** Takes the end of the log of a call away, which has not ended for its client. @param {number} count */
  async function shorten(count) {
    const url = store.urlAt(port)
    const opened = sealedStore(await openFor(url))
    try {
      for (let tries = 0; tries < 20 && !isOver; tries++) {
        const log = random.pick([...witness.logs].slice(-atOnce))
        const lines = /** @type {import('./journals.mjs').Line[]} */ (linesOf(await opened.read(log)))
        const { tag, hasEnded } = journalOf(lines)
        const call = caller.calls.find(known => known.tag === tag)
        if (!call?.isOpen || hasEnded) continue
        call.isCut = true
        await cutLog(url, log, count)
        shortened.set(log, describeLog(lines.slice(-count), witness.writers))
        return
      }
    } finally {
      await opened.close()
    }
  }

  async function makeFaults() {
    /** @param {number} share */
    const progress = async share => {
      while (!isOver && done < share * calls) await pause(5)
      return !isOver
    }
    const faults = planFaults(random, { kills, hasNetwork: proxies.length > 0, failsOver: store.failsOver })
    const onFault = (/** @type {import('./chaos.mjs').Fault} */ fault) => caused.push(fault)
    await causeFaults({ faults, random, nodes, proxies, restart: store.restart, shorten, progress, onFault })
    await alongside?.failures
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
  await alongside?.stop()
  if (!isQuiet) losses.push(`only ${caused.length} faults were caused before the time was over`)
  for (const { tag, since, waitsFor, isLeft, isOpen } of caller.calls)
    if (isOpen) {
      const how = isLeft ? 'hangs past its expiry' : 'hangs'
      losses.push(`${tag}: ${how}, after ${Math.round((Date.now() - since) / 1_000)} s it waits for ${waitsFor}`)
    }
  client.stop()
  for (const node of nodes) node.end()
  const kept = await readRecords(store.urlAt(port), caller.calls, { witness, desk, shortened })
  for (const proxy of proxies) proxy.close()
  witness.close()
  desk.close()
  if (alongside === undefined) await store.end()
  const { again, violations } = witness.judge(tag => caller.calls.some(call => call.tag === tag && call.isCut))
  const replays = witness.replays()
  if (replays[withoutCause] !== 0) losses.push(`${replays[withoutCause]} handlers were entered again without a cause`)
  for (const log of witness.busy) losses.push(`a process did nothing but read and write ${log}`)
  const wrong = [...losses, ...kept.losses, ...violations]
  // With the log of each call that something went wrong with.
  const inTrouble = caller.calls.filter(({ tag }) => wrong.some(loss => loss.startsWith(`${tag}: `)))
  /** @param {import('./chaos.mjs').Fault} wanted */
  const count = wanted => caused.filter(fault => fault === wanted).length
  return {
    calls: done,
    kills: count('kill'),
    restarts: count('restart'),
    cuts: count('cut') + count('stall'),
    races: caller.races,
    failures: client.failures,
    lost: witness.lost.length,
    shortened: shortened.size,
    broken: caller.broken.length,
    atDesk: caller.atDesk,
    replays,
    again,
    expired: caller.calls.filter(({ isLeft, hasEnded }) => isLeft && hasEnded).length,
    accepted: caller.calls.reduce((sum, { given }) => sum + given.size, 0),
    found: kept.found,
    stepsAgain: violations.length,
    losses: wrong,
    logs: inTrouble.flatMap(({ tag, story }) => [
      ...(kept.described.get(tag) ?? []).map(log => `the log of ${tag}: ${log}`),
      `what ${tag} was told: ${story.join('; ')}`,
    ]),
  }
}

/**
 * @param {string} url
 * @param {readonly import('./caller.mjs').KnownCall[]} calls
 * @param {object} known
 * @param {Pick<import('./witness.mjs').Witness, 'logs' | 'writers' | 'lost'>} known.witness
 * @param {Pick<import('./desk-double.mjs').TestDesk, 'knows'>} known.desk
 * @param {ReadonlyMap<string, string>} known.shortened
 */
async function readRecords(url, calls, { witness: { logs, writers, lost }, desk, shortened }) {
  const store = sealedStore(patientStore(await openFor(url)))
  /** @type {Map<string | undefined, import('./journals.mjs').Journal[]>} */
  const journals = new Map()
  /** @type {Map<string, string[]>} */
  const described = new Map()
  for (const log of logs) {
    const lines = /** @type {import('./journals.mjs').Line[]} */ (linesOf(await store.read(log)))
    // One that was told of, and never begun.
    if (lines.length === 0) continue
    const journal = journalOf(lines, writers)
    const gone = shortened.get(log)
    const story = [
      describeLog(lines, writers),
      gone && `(cut off: ${gone})`,
      ...lost.filter(each => each.endsWith(` in ${log}`)).map(each => `(acknowledgement lost: ${each})`),
    ]
    if (journal.tag !== undefined)
      described.set(journal.tag, [...(described.get(journal.tag) ?? []), story.filter(Boolean).join(' ')])
    journals.set(journal.tag, [...(journals.get(journal.tag) ?? []), journal])
  }
  await store.close()
  /** @type {string[]} */
  const losses = []
  let found = 0
  for (const call of calls) {
    // What was lost with the end of a log may be in another one, or be there no more.
    if (call.isCut) continue
    const all = journals.get(call.tag) ?? []
    const { of, others } = pickFrom(all, call)
    const compared = compare(call, of)
    found += compared.found
    losses.push(...compared.losses, ...others.flatMap(({ problems }) => problems.map(each => `${call.tag}: ${each}`)))
    // A task may have been begun, or a result delivered, that its client never heard of; and a process may have died before
    // anyone could be told of a call. Anything else is one call.
    const isUnheard = call.story.some(line => line.includes('rror'))
    for (const { id, hasEnded, answers, steps } of others) {
      const isUntold = id !== undefined && answers.length + steps.length === 0 && !desk.knows(id)
      if (id === undefined || (call.isSale && !(isUnheard && (hasEnded || isUntold))))
        losses.push(`${call.tag}: it has two logs`)
    }
  }
  return { found, losses, described }
}

/**
 * The log of a call among those that name it: the one that its result or its task is from.
 * @param {readonly import('./journals.mjs').Journal[]} all
 * @param {import('./caller.mjs').KnownCall} call
 */
function pickFrom(all, { taskId, steps }) {
  const of =
    all.find(({ stepIds }) => stepIds.some(id => steps.includes(id))) ??
    (taskId === undefined ? all[0] : all.find(({ id }) => id === taskId))
  return { of, others: all.filter(other => other !== of) }
}
