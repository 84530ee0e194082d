import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../scripts/services/postgres.mjs'
import { startRedis } from '../scripts/services/redis.mjs'
import { startRedisCluster } from '../scripts/services/redis-cluster.mjs'
import { startRedisSentinel } from '../scripts/services/redis-sentinel.mjs'

/** One server, or several of which another takes over when one is gone. @typedef {'sqlite' | 'postgres' | 'redis' | 'sentinel' | 'cluster'} StoreKind */

/**
 * @typedef {object} StoreUnderTest
 * @property {number | undefined} port
 * @property {boolean} failsOver whether another server takes over from the one that ends
 * @property {(port: number | undefined) => string} urlAt its URL, by way of a proxy on this port
 * @property {() => Promise<void>} restart ends it with no warning, and starts it again
 * @property {() => Promise<void>} end
 */

/**
 * A store of its own for a run, which writes to disk what it acknowledges.
 * @param {StoreKind} kind
 * @returns {Promise<StoreUnderTest>}
 */
export async function startStore(kind) {
  if (kind === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'beckon-faults-'))
    return {
      port: undefined,
      failsOver: false,
      urlAt: () => join(folder, 'state.db'),
      restart: async () => {},
      end: () => rm(folder, { recursive: true }),
    }
  }
  if (kind === 'sentinel') return failingOver(await startRedisSentinel())
  if (kind === 'cluster') return failingOver(await startRedisCluster({ isDurable: true, replicas: 1 }))
  const server =
    kind === 'postgres' ? await startPostgres({ settings: { fsync: 'on' } }) : await startRedis({ isDurable: true })
  return {
    port: server.port,
    failsOver: false,
    urlAt: port => server.url.replace(`:${server.port}`, `:${port}`),
    async restart() {
      await server.kill()
      await server.start()
    },
    end: () => server.end(),
  }
}

/**
 * Ends a primary, or makes it stand still, in turn.
 * @param {{ url: string, failOver: (how: 'kill' | 'stall') => Promise<void>, end: () => Promise<void> }} servers
 * @returns {StoreUnderTest}
 */
function failingOver({ url, failOver, end }) {
  let count = 0
  return {
    port: undefined,
    failsOver: true,
    urlAt: () => url,
    restart: () => failOver(count++ % 2 === 0 ? 'kill' : 'stall'),
    end,
  }
}
