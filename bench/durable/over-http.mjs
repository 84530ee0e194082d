// npm run bench -- durable
// The same over HTTP: Beckon on its socket, and the plain commands behind a bare node:http server that takes the same two
// requests a call. Each server is a process of its own, in turn, several times, in one run.
import { startPostgres } from '../../scripts/services/postgres.mjs'
import { startRedis } from '../../scripts/services/redis.mjs'
import { measure } from '../wires/load/measure.mjs'
import { startServer } from '../wires/load/server-process.mjs'
import { report } from './report/report.mjs'

const ms = 2_000
const repetitions = 5

const postgres = await startPostgres({ settings: { fsync: 'on' } })
const redis = await startRedis({ isDurable: true })
let isMissed = false
console.log('over HTTP:')
for (const { where, url, goal } of [
  { where: 'Postgres', url: postgres.url, goal: 0.7 },
  { where: 'Redis', url: redis.url, goal: 0.5 },
]) {
  const names = /** @type {const} */ ({ 'bare commands': 'bare', Beckon: 'beckon' })
  const servers = []
  for (const [name, file] of Object.entries(names))
    servers.push({ name, server: await startServer(new URL(`servers/${file}.mjs`, import.meta.url), { args: [url] }) })
  for (const atOnce of [1, 100]) {
    /** @type {Map<string, number[]>} */
    const figures = new Map(servers.map(({ name }) => [name, []]))
    for (let time = 0; time < repetitions; time++)
      for (const { name, server } of servers) {
        const { perSecond } = await measure({ server, contender: { name, server: name, wire: 'rounds' }, atOnce, ms })
        figures.get(name)?.push(perSecond)
      }
    if (!report({ where, atOnce, goal: atOnce === 100 ? goal : undefined }, figures)) isMissed = true
  }
  for (const { server } of servers) server.stop()
}
await postgres.end()
await redis.end()
process.exit(isMissed ? 1 : 0)
