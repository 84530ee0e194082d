// npm run bench -- durable
// A store with 1,000,000 open asks answers as fast as one with 1,000: the time from a task's ask to its result, one after
// the other. `--asks 100000` for a shorter run.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { postgresStore } from '@beckon/postgres'
import { redisStore } from '@beckon/redis'
import { sqliteStore } from '@beckon/sqlite'
import { startPostgres } from '../../scripts/services/postgres.mjs'
import { startRedis } from '../../scripts/services/redis.mjs'
import { internals } from './contenders/beckon/built.mjs'
import { tasks as tasksOf } from './contenders/beckon/tasks.mjs'

/** @typedef {import('beckon/store').Store} Store */

const few = 1_000
const many = Number(parseArgs({ options: { asks: { type: 'string', default: '1000000' } } }).values.asks)
const cycles = 300
const mostRatio = 1.25

const postgres = await startPostgres({ settings: { fsync: 'on' } })
const redis = await startRedis()
const folder = await mkdtemp(join(tmpdir(), 'beckon-bench-'))
/** @type {[name: string, open: () => Store][]} */
const stores = [
  ['Postgres', () => postgresStore(postgres.url)],
  ['Redis', () => redisStore({ url: redis.url, warn: () => {} })],
  ['SQLite', () => sqliteStore({ path: join(folder, 'state.db'), durability: 'relaxed' })],
]
let isMissed = false
for (const [name, open] of stores) {
  const store = open()
  const tasks = tasksOf(internals, open())
  let filled = 0
  const medians = []
  for (const count of [few, many]) {
    await fill(store, filled, count)
    filled = count
    await take(tasks.cycle, 50) // warms up
    medians.push(await take(tasks.cycle, cycles))
  }
  const [small = Number.NaN, large = Number.NaN] = medians
  const ratio = large / small
  if (!(ratio <= mostRatio)) isMissed = true
  const verdict = `${ratio <= mostRatio ? 'at most' : 'NOT'} ${mostRatio}`
  console.log(
    `${name.padEnd(9)} ${few} open asks ${small.toFixed(2)} ms, ${many} open asks ${large.toFixed(2)} ms  × ${ratio.toFixed(2)}  ${verdict}`,
  )
  await tasks.close()
  await store.close()
}
await postgres.end()
await redis.end()
await rm(folder, { recursive: true })
process.exit(isMissed ? 1 : 0)

/**
 * Puts records of calls that wait there, as long as they are.
 * @param {Store} store
 * @param {number} from
 * @param {number} to
 */
async function fill(store, from, to) {
  let next = from
  await Promise.all(
    Array.from({ length: 400 }, async () => {
      while (next < to) {
        const id = `/call/${next++}-${randomBytes(12).toString('base64url')}`
        const lines = [randomBytes(450).toString('base64url'), randomBytes(350).toString('base64url')]
        await store.append(id, lines, { expiresAt: Date.now() + 24 * 60 * 60 * 1000 })
      }
    }),
  )
}

/**
 * @param {() => Promise<void>} cycle
 * @param {number} count
 */
async function take(cycle, count) {
  const times = []
  for (let done = 0; done < count; done++) {
    const from = performance.now()
    await cycle()
    times.push(performance.now() - from)
  }
  return times.toSorted((a, b) => a - b)[count >> 1] ?? Number.NaN
}
