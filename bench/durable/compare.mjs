// npm run bench -- durable
// Ask, wait, answer and go on, with everything in a database: calls a second, one and 100 at once, against the same writes
// as plain SQL and plain Redis commands, and against libraries for durable execution on the same Postgres. Everything in
// turn, several times, in one run; both servers write to disk before they answer.
import { postgresStore } from '@beckon/postgres'
import { redisStore } from '@beckon/redis'
import { startPostgres } from '../../scripts/services/postgres.mjs'
import { startRedis } from '../../scripts/services/redis.mjs'
import { installPeers } from '../peers/peer.js'
import { barePostgres } from './contenders/bare-postgres.mjs'
import { bareRedis } from './contenders/bare-redis.mjs'
import { beckon } from './contenders/beckon.mjs'
import { dbos } from './contenders/dbos.mjs'
import { langGraph } from './contenders/lang-graph.mjs'
import { report } from './report/report.mjs'

/** @typedef {import('./contenders/contender.mjs').Contender} Contender */

const seconds = 2
const repetitions = 5

installPeers()
const postgres = await startPostgres({ settings: { fsync: 'on' } })
const redis = await startRedis({ isDurable: true })
/** @type {[name: string, open: () => Promise<Contender>][]} */
const onPostgres = [
  ['bare SQL', () => barePostgres(postgres.url)],
  ['Beckon', async () => beckon(postgresStore(postgres.url))],
  ['DBOS', () => dbos(postgres.url)],
  ['LangGraph', () => langGraph(postgres.url)],
]
/** @type {typeof onPostgres} */
const onRedis = [
  ['bare commands', () => bareRedis(redis.url)],
  ['Beckon', async () => beckon(redisStore(redis.url))],
]
let isMissed = false
for (const [where, contenders, goal] of /** @type {const} */ ([
  ['Postgres', onPostgres, 0.7],
  ['Redis', onRedis, 0.5],
])) {
  const opened = []
  for (const [name, open] of contenders) opened.push({ name, contender: await open() })
  for (const atOnce of [1, 100]) {
    const figures = await inTurn(opened, atOnce)
    if (!report({ where, atOnce, goal: atOnce === 100 ? goal : undefined }, figures)) isMissed = true
  }
  for (const { contender } of opened) await contender.close()
}
await postgres.end()
await redis.end()
process.exit(isMissed ? 1 : 0)

/**
 * @param {{ name: string, contender: Contender }[]} contenders
 * @param {number} atOnce
 */
async function inTurn(contenders, atOnce) {
  /** @type {Map<string, number[]>} */
  const figures = new Map(contenders.map(({ name }) => [name, []]))
  for (let time = 0; time <= repetitions; time++)
    for (const { name, contender } of contenders) {
      const perSecond = await measure(contender, atOnce)
      if (time > 0) figures.get(name)?.push(perSecond) // the first warms up
    }
  return figures
}

/**
 * @param {Contender} contender
 * @param {number} atOnce
 */
async function measure(contender, atOnce) {
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
  return done / ((performance.now() - from) / 1_000)
}
