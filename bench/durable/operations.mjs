// npm run bench -- durable
// How many operations of the store one ask takes, on each wire. A count, which no machine makes better or worse.
import { postgresStore } from '@beckon/postgres'
import { redisStore } from '@beckon/redis'
import { startPostgres } from '../../scripts/services/postgres.mjs'
import { startRedis } from '../../scripts/services/redis.mjs'
import { internals } from './contenders/beckon/built.mjs'
import { bounds, countOperations } from './operations/count-operations.mjs'

const postgres = await startPostgres()
const redis = await startRedis()
let isMissed = false
console.log('operations of the store for one ask:')
for (const [where, open] of /** @type {const} */ ([
  ['Postgres', () => postgresStore(postgres.url)],
  ['Redis', () => redisStore({ url: redis.url, warn: () => {} })],
])) {
  for (const wire of /** @type {(keyof typeof bounds)[]} */ (Object.keys(bounds))) {
    const { own, forLooks, byName } = await countOperations(wire, internals, open())
    const most = bounds[wire]
    if (!(own <= most)) isMissed = true
    const names = Object.entries(byName).map(([name, count]) => `${name} ${count}`)
    const looks = forLooks > 0 ? ` and ${forLooks} for looks` : ''
    const verdict = `${own <= most ? 'at most' : 'NOT'} ${most}`
    console.log(
      `${where.padEnd(9)} ${wire.padEnd(6)} ${String(own).padStart(3)}${looks}  ${verdict}  (${names.join(', ')})`,
    )
  }
}
await postgres.end()
await redis.end()
process.exit(isMissed ? 1 : 0)
