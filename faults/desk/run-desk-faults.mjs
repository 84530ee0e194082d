// Three desks on one store. Programs ask on them and wait, people answer the same asks at the same time on all of them, and
// everything fails. Afterwards every answer that was confirmed is the outcome, each ask has one, everyone knows the same, and
// the desks are at rest. A run always reports: what has not ended when its time is over is a loss.
import { pause } from '../client.mjs'
import { startProcess } from '../cluster.mjs'
import { startCutProxy } from '../cut-proxy.mjs'
import { createRandom } from '../random.mjs'
import { startStore } from '../store-under-test.mjs'
import { auditLosses } from './audited.mjs'
import { causeDeskFault, planDeskFaults } from './chaos.mjs'
import { agreeAtLast, listAll, loadOf, putAgain, reconnectAll } from './end-of-run.mjs'
import { judgeLogs, readSessions, unlisted } from './judge.mjs'
import { devices, tokens } from './people.mjs'
import { Person } from './person.mjs'
import { Programs } from './programs.mjs'
import { shortenSession } from './shorten.mjs'
import { within } from './within.mjs'

/** @typedef {{ store: import('../store-under-test.mjs').StoreKind, seed: number, asks: number, kills: number, alongside?: import('../run-faults.mjs').Alongside }} DeskFaultRun */

/**
 * @typedef {object} DeskFaultReport
 * @property {number} asks
 * @property {number} answers that people sent
 * @property {number} kills
 * @property {number} crashes between two writes, which were ordered
 * @property {number} restarts
 * @property {number} cuts
 * @property {number} lost acknowledgements
 * @property {number} shortened
 * @property {number} again
 * @property {number} connections
 * @property {number} confirmed
 * @property {number} found
 * @property {number} expired
 * @property {number} operations a second, of an idle desk
 * @property {string[]} losses
 * @property {string[]} logs
 */

const atOnce = 12
const asksInSession = 6
/** How many asks stay open until the end. */
const kept = 6
/** What hangs, hangs for good: machines are slow at times, and primaries lost one after the other. */
const hangsAfterMs = 4 * 60_000
const longestMs = 15 * 60_000
/** Clocks that disagree. */
const offsets = [-10_000, 0, 10_000]
/** At any time there are nodes where this person is not. */
const cydOnly = { audience: { principals: ['cyd'] } }
const dayMs = 24 * 60 * 60 * 1_000
/** What an idle desk may ask of its store in a second. */
const mostWhenIdle = 400

/**
 * @param {DeskFaultRun} options
 * @returns {Promise<DeskFaultReport>}
 */
export async function runDeskFaults(options) {
  const store = options.alongside?.store ?? (await startStore(options.store))
  /** @type {(() => void)[]} */
  const ends = []
  try {
    return await run(options, store, end => ends.push(end))
  } finally {
    for (const end of ends) end()
    if (options.alongside === undefined) await store.end()
  }
}

/**
 * @param {DeskFaultRun} options
 * @param {import('../store-under-test.mjs').StoreUnderTest} store
 * @param {(end: () => void) => void} atEnd
 * @returns {Promise<DeskFaultReport>}
 */
async function run({ store: kind, seed, asks, kills, alongside }, store, atEnd) {
  const random = createRandom(seed)
  const { port } = store
  const url = store.urlAt(port)
  /** @type {string[]} */
  const losses = []
  /** @type {string[]} */
  const lost = []
  /** @type {Map<number, (load: { operations: number, cpuMs: number }) => void>} */
  const loads = new Map()
  /** @type {Programs | undefined} */
  let programs
  const proxies = port === undefined ? [] : await Promise.all(offsets.map(() => startCutProxy(port)))
  const nodes = await Promise.all(
    offsets.map((offsetMs, index) =>
      startProcess(
        'desk/node.mjs',
        // A file has no clock of its own: there the clocks have to agree.
        { storeUrl: store.urlAt(proxies[index]?.port), offsetMs: kind === 'sqlite' ? 0 : offsetMs },
        {
          report: problem => losses.push(problem),
          onGone: () => programs?.gone(index),
          onMessage: (/** @type {import('./node.mjs').News} */ news) => {
            if (news.what === 'came') programs?.heard(news)
            else if (news.what === 'lost') lost.push(news.which)
            else loads.get(news.number)?.(news)
          },
        },
      ),
    ),
  )
  atEnd(() => {
    for (const node of nodes) node.end()
    for (const proxy of proxies) proxy.close()
  })
  const working = new Programs(nodes, random)
  programs = working
  const people = devices.map((device, index) => new Person(device, nodes, index % nodes.length, random))
  for (const person of people) person.onTaken = () => alongside?.onTaken('desk')
  /** @type {Map<string, number>} */
  const cuts = new Map()
  /** @type {Set<string>} */
  const sessions = new Set()
  /** @type {import('./chaos.mjs').DeskFault[]} */
  const caused = []
  let next = 0
  let done = 0
  let isOver = false
  let isQuiet = false

  /** @param {'left' | 'kept' | 'answer'} message */
  function newAsk(message) {
    const number = next++
    const isCall = random.next() < 0.4
    const session = isCall ? `call-c${Math.floor(number / 2)}` : `s${Math.floor(number / asksInSession)}`
    const id = isCall ? `c${Math.floor(number / 2)}.a${number}` : `a${number}`
    sessions.add(session)
    const audiences = [{}, {}, { audience: { groups: ['ops'] } }, { audience: { principals: ['ada', 'cyd'] } }, cydOnly]
    /** @type {import('./node.mjs').AskSpec} */
    const spec = {
      id,
      kind: isCall ? 'call' : 'turn',
      session,
      message,
      audience: isCall ? undefined : random.pick(audiences).audience,
      timeoutMs: message === 'left' ? 1_500 : dayMs,
    }
    return spec
  }

  /** @param {import('./node.mjs').AskSpec} spec */
  const ask = spec => working.ask(spec, ending => ending === 'cancel' && cuts.has(spec.session))

  async function makeAsks() {
    while (!isOver && (next < asks || !isQuiet)) {
      await ask(newAsk(random.next() < 0.06 ? 'left' : 'answer'))
      done++
      if (alongside !== undefined) await pause(alongside.restMs)
    }
  }

  /** @param {number} count */
  async function shorten(count) {
    for (let tries = 0; tries < 20 && !isOver; tries++) {
      const session = random.pick([...sessions].slice(-8))
      if (cuts.has(session)) continue
      cuts.set(session, Number.POSITIVE_INFINITY)
      const isCut = await shortenSession(url, session, count)
      if (isCut) cuts.set(session, Date.now())
      else cuts.delete(session)
      if (isCut) return
    }
  }

  async function makeFaults() {
    const faults = planDeskFaults(random, { kills, hasNetwork: proxies.length > 0, failsOver: store.failsOver })
    for (const [index, fault] of faults.entries()) {
      while (!isOver && done < (asks * (index + 1)) / (faults.length + 1)) await pause(5)
      if (isOver) return
      caused.push(fault)
      await causeDeskFault(fault, { random, nodes, proxies, people, restart: store.restart, shorten })
    }
    await alongside?.failures
    isQuiet = true
  }

  const started = Date.now()
  const living = people.map(person => person.live())
  const keeping = Array.from({ length: kept }, () => ask(newAsk('kept')))
  const work = Promise.all([...Array.from({ length: atOnce }, makeAsks), makeFaults()]).catch(error => {
    losses.push(`the run itself: ${error instanceof Error ? error.stack : error}`)
  })
  const hung = () =>
    working.asks.filter(
      ({ isOpen, since, spec }) => isOpen && Date.now() - since > hangsAfterMs && spec.message !== 'kept',
    )
  const untilSomethingHangs = async () => {
    while (!isOver && hung().length === 0 && Date.now() - started < longestMs) await pause(300)
  }
  await Promise.race([work, untilSomethingHangs()])
  isOver = true
  await alongside?.stop()
  for (const { spec, tries } of hung())
    losses.push(`${spec.session}: ${spec.id} hangs, its program was at ${tries.join(', ')}`)
  if (!isQuiet) losses.push(`only ${caused.length} faults were caused before the time was over`)
  const context = { random, nodes, people, programs: working, url, sessions, cuts }
  // What is open is answerable, once it was found to be listed.
  await agreeAtLast(context)
  const before = await readSessions(url, sessions)
  const listing = await Promise.all(
    Object.keys(tokens).map(token =>
      listAll(context, token).then(
        listed => unlisted(before, token, listed),
        error => [`nothing can be listed for ${token}: ${error}`],
      ),
    ),
  )
  losses.push(...listing.flat())
  for (const person of people) person.answersAll = true
  await within(hangsAfterMs / 2, Promise.all(keeping))
  for (const { spec, isOpen, tries } of working.asks)
    if (isOpen && spec.message === 'kept')
      losses.push(`${spec.session}: ${spec.id} cannot be answered at the end, its program was at ${tries.join(', ')}`)
  losses.push(...(await agreeAtLast(context)))
  for (const person of people) person.stop()
  await Promise.all(living)
  const load = await loadOf(nodes, loads)
  if (load.operations > mostWhenIdle || load.cpu > 0.5)
    losses.push(`an idle desk makes ${load.operations} operations a second, and takes ${load.cpu} of a core`)
  losses.push(...(await putAgain(context)))
  losses.push(...(await reconnectAll(context).catch(error => [`nobody can come back at the end: ${error}`])))
  working.stop()
  const records = await readSessions(url, sessions)
  const judged = judgeLogs(records, { people, asks: working.asks, cuts })
  for (const { client } of people) client.drop()
  losses.push(...judged.losses, ...(await auditLosses(url, records, cuts)))
  for (const { client, device } of people)
    for (const what of client.outOfOrder) losses.push(`${device.name} was told out of order: ${what}`)
  /** @param {import('./chaos.mjs').DeskFault} wanted */
  const count = wanted => caused.filter(fault => fault === wanted).length
  const endings = [...records.values()].flatMap(({ asks: all }) => [...all.values()].map(({ ending }) => ending))
  return {
    asks: working.asks.length,
    answers: people.reduce((sum, person) => sum + person.answers, 0),
    kills: count('kill'),
    crashes: count('crash'),
    restarts: count('restart'),
    cuts: count('cut') + count('stall'),
    lost: lost.length,
    shortened: cuts.size,
    again: working.again,
    connections: people.reduce((sum, person) => sum + person.connections, 0),
    confirmed: judged.confirmed,
    found: judged.found,
    expired: endings.filter(ending => ending === 'expired').length,
    operations: load.operations,
    losses,
    logs: [...records]
      .filter(([session]) => losses.some(loss => loss.startsWith(`${session}: `)))
      .map(([session, { story }]) => `the log of ${session}${cuts.has(session) ? ' (cut)' : ''}: ${story}`),
  }
}
