// npm run bench -- durable
// The same over HTTP: Beckon on its socket, in rounds, which are two requests a call, and as a task, which are four; and the
// plain commands behind a bare node:http server that takes two. Each server is a process of its own, in turn, several times,
// in one run.
import { startPostgres } from '../../scripts/services/postgres.mjs'
import { startRedis } from '../../scripts/services/redis.mjs'
import { roundsCaller } from '../wires/load/callers.mjs'
import { measureCallers } from '../wires/load/measure.mjs'
import { startServer } from '../wires/load/server-process.mjs'
import { tasksCaller } from './load/tasks-caller.mjs'
import { conclude, report } from './report/report.mjs'

/** @typedef {import('./report/report.mjs').Figure} Figure */
/** @typedef {import('./report/report.mjs').Goal} Goal */

const ms = 2_000
const repetitions = 5

const postgres = await startPostgres({ settings: { fsync: 'on' } })
const redis = await startRedis({ isDurable: true })
/** @type {string[]} */
const missed = []
console.log('over HTTP:')
for (const { where, url, rounds, tasks } of [
  { where: 'Postgres', url: postgres.url, rounds: 0.7, tasks: 0.5 },
  { where: 'Redis', url: redis.url, rounds: 0.5, tasks: undefined },
]) {
  const start = (/** @type {string} */ file) =>
    startServer(new URL(`servers/${file}.mjs`, import.meta.url), { args: [url] })
  const bare = await start('bare')
  const beckon = await start('beckon')
  const contenders = [
    { name: 'bare commands', server: bare, open: () => roundsCaller(bare.url) },
    { name: 'rounds', server: beckon, open: () => roundsCaller(beckon.url) },
    { name: 'tasks', server: beckon, open: () => tasksCaller(beckon.url, 'ask-as-task') },
  ]
  // One at a time comes last: by then everyone's code is as warm as it gets.
  for (const atOnce of [100, 1]) {
    /** @type {Map<string, Figure[]>} */
    const figures = new Map(contenders.map(({ name }) => [name, []]))
    for (let time = 0; time < repetitions; time++)
      for (const contender of contenders) {
        figures.get(contender.name)?.push(await measureCallers({ ...contender, atOnce, ms }))
      }
    /** @type {Map<string, Goal>} */
    const goals = new Map()
    if (atOnce === 100) goals.set('rounds', { atLeast: rounds })
    if (atOnce === 100 && tasks !== undefined) goals.set('tasks', { atLeast: tasks })
    missed.push(...report({ where, atOnce, goals }, figures))
  }
  for (const server of [bare, beckon]) server.stop()
}
await postgres.end()
await redis.end()
conclude(missed)
process.exit(missed.length > 0 ? 1 : 0)
