// npm run bench -- durable
// A store with 1,000,000 open asks answers as fast as one with 1,000: the time from a task's ask to its result, one after
// the other, few and many in turn. `--asks 100000` for a shorter run.
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
import { conclude } from './report/report.mjs'

/** @typedef {import('beckon/store').Store} Store */

const few = 1_000
const many = Number(parseArgs({ options: { asks: { type: 'string', default: '1000000' } } }).values.asks)
const turns = 10
const cyclesPerTurn = 40
const maxRatio = 1.25

const postgres = await startPostgres({ settings: { fsync: 'on' } })
const redis = await startRedis()
const folder = await mkdtemp(join(tmpdir(), 'beckon-bench-'))
/** Two of each kind, which share nothing but their server. @type {[name: string, open: (name: string) => Store][]} */
const stores = [
  ['Postgres', schema => postgresStore({ url: postgres.url, schema })],
  ['Redis', prefix => redisStore({ url: redis.url, prefix, warn: () => {} })],
  ['SQLite', file => sqliteStore({ path: join(folder, `${file}.db`), durability: 'relaxed' })],
]
/** @type {string[]} */
const missed = []
for (const [name, open] of stores) {
  const small = await filled(() => open('few'), few)
  const large = await filled(() => open('many'), many)
  await take(small.cycle, cyclesPerTurn) // warms up
  await take(large.cycle, cyclesPerTurn)
  const ratios = []
  for (let turn = 0; turn < turns; turn++) {
    // To and fro, so that neither always runs after the other.
    const order = turn % 2 ? [small, large] : [large, small]
    for (const contender of order) contender.medians.push(await take(contender.cycle, cyclesPerTurn))
    ratios.push((large.medians.at(-1) ?? Number.NaN) / (small.medians.at(-1) ?? Number.NaN))
  }
  const ratio = median(ratios)
  const verdict = `${ratio <= maxRatio ? 'at most' : 'NOT'} ${maxRatio}`
  if (!(ratio <= maxRatio)) missed.push(`${many} open asks in ${name}: × ${ratio.toFixed(2)}, ${verdict}`)
  console.log(
    `${name.padEnd(9)} ${few} open asks ${median(small.medians).toFixed(2)} ms, ${many} open asks ${median(large.medians).toFixed(2)} ms  × ${ratio.toFixed(2)}  ${verdict}`,
  )
  await small.close()
  await large.close()
}
await postgres.end()
await redis.end()
await rm(folder, { recursive: true })
conclude(missed)
process.exit(missed.length > 0 ? 1 : 0)

/**
 * Tasks on a store that has so many open asks.
 * @param {() => Store} open
 * @param {number} asks
 */
async function filled(open, asks) {
  const store = open()
  await fill(store, asks)
  await store.close()
  const { cycle, close } = tasksOf(internals, open())
  return { cycle, close, medians: /** @type {number[]} */ ([]) }
}

/**
 * Puts records of calls that wait there, as long as they are.
 * @param {Store} store
 * @param {number} asks
 */
async function fill(store, asks) {
  let next = 0
  await Promise.all(
    Array.from({ length: 400 }, async () => {
      while (next < asks) {
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
 * @returns {Promise<number>} the median of so many, in milliseconds
 */
async function take(cycle, count) {
  const times = []
  for (let done = 0; done < count; done++) {
    const from = performance.now()
    await cycle()
    times.push(performance.now() - from)
  }
  return median(times)
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
