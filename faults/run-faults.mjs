// Hundreds of calls on several processes with one store, while processes are killed, stores are restarted and networks
// fail. Afterwards every call has ended as its answers say, and no recorded step has run again.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealedStore } from 'beckon/store'
import { startPostgres } from '../scripts/services/postgres.mjs'
import { startRedis } from '../scripts/services/redis.mjs'
import { Caller } from './caller.mjs'
import { startNode } from './cluster.mjs'
import { startCutProxy } from './cut-proxy.mjs'
import { openFor } from './open-store.mjs'
import { createRandom } from './random.mjs'
import { startWitness } from './witness.mjs'

/**
 * @typedef {object} FaultRun
 * @property {'sqlite' | 'postgres' | 'redis'} store
 * @property {number} seed
 * @property {number} calls
 * @property {number} atOnce
 * @property {number} kills processes that are killed at least, spread over the run
 */

/**
 * @typedef {object} FaultReport
 * @property {number} calls
 * @property {number} kills
 * @property {number} storeRestarts
 * @property {number} cuts
 * @property {number} races rounds with two different answers at once
 * @property {number} failures requests that failed, and were sent again
 * @property {number} replays handlers that were run again from their journal
 * @property {number} again effects that ran again because their process ended before they were recorded
 * @property {string[]} losses
 */

const leaseMs = 3_000
const longestMs = 5 * 60_000

/**
 * @param {FaultRun} options
 * @returns {Promise<FaultReport>}
 */
export async function runFaults({ store: kind, seed, calls, atOnce, kills }) {
  const random = createRandom(seed)
  const store = await openStore(kind)
  const witness = await startWitness()
  /** @type {string[]} */
  const losses = []
  const report = /** @type {FaultReport} */ ({ calls: 0, kills: 0, storeRestarts: 0, cuts: 0 })
  const proxies = store.port === undefined ? [] : await Promise.all([1, 2, 3].map(() => startCutProxy(store.port ?? 0)))
  const nodes = await Promise.all(
    [-60_000, 0, 60_000].map((offsetMs, index) =>
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
  /** @type {string[]} */
  const tasks = []
  const caller = new Caller(nodes, random, Date.now() + longestMs)
  let next = 0
  let isOver = false
  /** Waits until so many calls are done, or all are. @param {number} wanted */
  const progress = async wanted => {
    while (!isOver && report.calls < wanted) await pause(5)
  }

  async function work() {
    while (next < calls) {
      const tag = `call${next++}`
      try {
        const job = random.next() < 0.3 ? await caller.job(tag) : undefined
        if (job !== undefined) tasks.push(job.taskId)
        const steps = job?.steps ?? (await caller.work(tag))
        for (const id of steps)
          if (!witness.effects.has(id)) losses.push(`${tag}: the effect of a recorded step never happened`)
      } catch (error) {
        losses.push(`${tag}: ${error instanceof Error ? error.message : error}`)
      }
      report.calls++
    }
  }

  async function chaos() {
    // In step with the calls and not with the clock: a slow machine gets the same faults.
    for (let event = 1; !isOver; event++) {
      await progress((event * calls) / (kills + 1))
      if (isOver) return
      const what = random.next()
      if (proxies.length === 0 || what < 0.6) {
        report.kills++
        await random.pick(nodes).kill()
      } else if (what < 0.7) {
        report.storeRestarts++
        await store.restart()
      } else {
        report.cuts++
        const proxy = random.pick(proxies)
        await (what < 0.85 ? proxy.cut(random.between(50, 800)) : proxy.stall(random.between(50, 3_000)))
      }
      if (report.calls >= calls) return
    }
  }

  const chaotic = chaos()
  await Promise.all(Array.from({ length: atOnce }, work))
  isOver = true
  await chaotic
  for (const node of nodes) node.end()
  const journals = sealedStore(await openFor(store.urlAt(store.port)))
  for (const id of tasks) losses.push(...(await readTask(journals, id)))
  await journals.close()
  for (const proxy of proxies) proxy.close()
  witness.close()
  await store.end()
  return {
    ...report,
    races: caller.races,
    failures: caller.failures,
    replays: witness.replays,
    again: witness.again,
    losses: [...losses, ...witness.violations],
  }
}

/**
 * What is wrong with the record of a task: every ask was answered once, and every step is there once.
 * @param {import('beckon/store').Store} store
 * @param {string} id
 */
async function readTask(store, id) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { value } of await store.read(`detached/${id}`)) {
    const line = /** @type {{ kind: string, id?: string, entry?: { name: string } }} */ (value)
    const what = [line.kind, line.id ?? line.entry?.name].join(' ')
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  const once = ['answered', 'step', 'ended']
  const several = [...counts].filter(([what, count]) => count > 1 && once.some(kind => what.startsWith(kind)))
  const answers = [...counts.keys()].filter(what => what.startsWith('answered'))
  return [
    ...several.map(([what, count]) => `task ${id}: ${what} is in its record ${count} times`),
    ...(answers.length === 4 ? [] : [`task ${id}: ${answers.length} of 4 answers are in its record`]),
  ]
}

/** @param {FaultRun['store']} kind */
async function openStore(kind) {
  if (kind === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'beckon-faults-'))
    return {
      port: undefined,
      /** @param {number} [_port] */
      urlAt: _port => join(folder, 'state.db'),
      restart: async () => {},
      end: () => rm(folder, { recursive: true }),
    }
  }
  const server =
    kind === 'postgres' ? await startPostgres({ settings: { fsync: 'on' } }) : await startRedis({ isDurable: true })
  return {
    port: server.port,
    /** @param {number} [port] */
    urlAt: port => server.url.replace(`:${server.port}`, `:${port}`),
    async restart() {
      await server.kill()
      await server.start()
    },
    end: () => server.end(),
  }
}

/** @param {number} ms */
function pause(ms) {
  return new Promise(resolve => setTimeout(resolve, ms))
}
