// npm run bench -- durable
// Ask, wait, answer and go on, with everything in a database: calls a second, one and 100 at once, in rounds, as a task and
// on a desk, against the least that a durable ask needs, as plain SQL and plain Redis commands, and against libraries for
// durable execution on the same Postgres. Everything in turn, several times, in one run; both servers write to disk before
// they answer. The CPU is that of this process: on a machine that is shared it says more than calls a second.
import { postgresStore } from '@beckon/postgres'
import { redisStore } from '@beckon/redis'
import { startPostgres } from '../../scripts/services/postgres.mjs'
import { startRedis } from '../../scripts/services/redis.mjs'
import { installPeers } from '../peers/peer.js'
import { bare } from './contenders/bare.mjs'
import { barePostgres } from './contenders/bare-postgres.mjs'
import { bareRedis } from './contenders/bare-redis.mjs'
import { internals } from './contenders/beckon/built.mjs'
import { deskCalls } from './contenders/beckon/desk-calls.mjs'
import { rounds } from './contenders/beckon/rounds.mjs'
import { tasks } from './contenders/beckon/tasks.mjs'
import { dbos } from './contenders/dbos.mjs'
import { langGraph } from './contenders/lang-graph.mjs'
import { conclude, report } from './report/report.mjs'

/** @typedef {import('./contenders/contender.mjs').Contender} Contender */
/** @typedef {import('./report/report.mjs').Figure} Figure */
/** @typedef {import('./report/report.mjs').Goal} Goal */

const seconds = 2
const repetitions = 5

installPeers()
const postgres = await startPostgres({ settings: { fsync: 'on' } })
const redis = await startRedis({ isDurable: true })
/** @typedef {{ name: string, open: () => Promise<Contender>, goals?: Record<number, Goal> }} Entrant by how many at once */
/** @type {Entrant[]} */
const onPostgres = [
  { name: 'bare SQL', open: async () => bare(await barePostgres(postgres.url)) },
  {
    name: 'rounds',
    open: async () => rounds(internals, postgresStore(postgres.url)),
    goals: { 100: { atLeast: 1.2 } },
  },
  { name: 'tasks', open: async () => tasks(internals, postgresStore(postgres.url)), goals: { 100: { atLeast: 1.2 } } },
  {
    name: 'desk calls',
    open: async () => deskCalls(internals, postgresStore(postgres.url)),
    goals: { 1: { atMostTimes: 6 }, 100: { atLeast: 0.5 } },
  },
]
/**
 * Libraries for durable execution, beside bare once more, and after everyone else: they have the process follow every promise
 * (`AsyncLocalStorage`), which costs whoever shares it a third more CPU.
 * @type {Entrant[]}
 */
const libraries = [
  { name: 'bare SQL', open: async () => bare(await barePostgres(postgres.url)) },
  { name: 'DBOS', open: () => dbos(postgres.url) },
  { name: 'LangGraph', open: () => langGraph(postgres.url) },
]
/** @type {Entrant[]} */
const onRedis = [
  { name: 'bare commands', open: async () => bare(await bareRedis(redis.url)) },
  { name: 'rounds', open: async () => rounds(internals, redisStore(redis.url)), goals: { 100: { atLeast: 0.7 } } },
  { name: 'tasks', open: async () => tasks(internals, redisStore(redis.url)) },
  { name: 'desk calls', open: async () => deskCalls(internals, redisStore(redis.url)) },
]
/** @type {string[]} */
const missed = []
for (const [where, entrants] of /** @type {const} */ ([
  ['Postgres', onPostgres],
  ['Redis', onRedis],
  ['Postgres', libraries],
])) {
  const opened = []
  for (const { name, open } of entrants) opened.push({ name, contender: await open() })
  // One at a time comes last: by then everyone's code is as warm as it gets.
  for (const atOnce of [100, 1]) {
    const figures = await inTurn(opened, atOnce)
    const goals = new Map(entrants.map(({ name, goals }) => [name, goals?.[atOnce]]))
    missed.push(...report({ where, atOnce, goals }, figures))
  }
  for (const { contender } of opened) await contender.close()
}
conclude(missed)
// A library may have left a connection behind, which throws when its server ends.
process.on('uncaughtException', () => {})
await postgres.end()
await redis.end()
process.exit(missed.length > 0 ? 1 : 0)

/**
 * @param {{ name: string, contender: Contender }[]} contenders
 * @param {number} atOnce
 */
async function inTurn(contenders, atOnce) {
  /** @type {Map<string, Figure[]>} */
  const figures = new Map(contenders.map(({ name }) => [name, []]))
  for (let time = 0; time <= repetitions; time++)
    for (const { name, contender } of contenders) {
      const figure = await measure(contender, atOnce)
      if (time > 0) figures.get(name)?.push(figure) // the first warms up
    }
  return figures
}

/**
 * @param {Contender} contender
 * @param {number} atOnce
 * @returns {Promise<Figure>}
 */
async function measure(contender, atOnce) {
  const cpuFrom = process.cpuUsage()
  const from = performance.now()
  const until = from + seconds * 1_000
  let done = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < until) {
        await contender.cycle()
        done++
      }
    }),
  )
  const { user, system } = process.cpuUsage(cpuFrom)
  return { perSecond: done / ((performance.now() - from) / 1_000), cpuUs: (user + system) / done }
}
