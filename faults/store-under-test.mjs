import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { losses, startPatroni } from '../scripts/services/patroni.mjs'
import { startPostgres } from '../scripts/services/postgres.mjs'
import { startPostgresPair } from '../scripts/services/postgres-standby.mjs'
import { startRedis } from '../scripts/services/redis.mjs'
import { startRedisCluster } from '../scripts/services/redis-cluster.mjs'
import { startRedisSentinel } from '../scripts/services/redis-sentinel.mjs'
import { withoutReplicas } from './open-store.mjs'

/** One server, or several of which another takes over when one is gone. @typedef {'sqlite' | 'postgres' | 'redis' | 'standby' | 'patroni' | 'sentinel' | 'cluster'} StoreKind */

/**
 * @typedef {object} StoreUnderTest
 * @property {number | undefined} port
 * @property {boolean} failsOver whether another server takes over from the one that ends
 * @property {(port: number | undefined) => string} urlAt its URL, by way of a proxy on this port
 * @property {() => Promise<string>} restart ends it with no warning, and starts it again, or has another take over; says what it did
 * @property {() => Promise<void>} end
 */

/**
 * @typedef {object} FailoverOptions
 * @property {boolean} [isSafe] without, nobody waits for another server to have what is acknowledged
 * @property {readonly string[] | undefined} [ways] how primaries are lost; in every way that there is, otherwise
 */

/**
 * A store of its own for a run, which writes to disk what it acknowledges.
 * @param {StoreKind} kind
 * @param {FailoverOptions} [options]
 * @returns {Promise<StoreUnderTest>}
 */
export async function startStore(kind, { isSafe = true, ways } = {}) {
  if (kind === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'beckon-faults-'))
    return {
      port: undefined,
      failsOver: false,
      urlAt: () => join(folder, 'state.db'),
      restart: async () => 'nothing',
      end: () => rm(folder, { recursive: true }),
    }
  }
  /** @template {string} How @param {readonly How[]} all */
  const chosen = all => ({ isSafe, ways: all.filter(how => ways?.includes(how) ?? true) })
  const killOrStall = chosen(/** @type {const} */ (['kill', 'stall']))
  if (kind === 'standby') return failingOver(await startPostgresPair({ isSync: isSafe }), killOrStall)
  if (kind === 'patroni') return failingOver(await startPatroni({ isSync: isSafe }), chosen(losses))
  if (kind === 'sentinel') return failingOver(await startRedisSentinel(), killOrStall)
  if (kind === 'cluster') return failingOver(await startRedisCluster({ isDurable: true, replicas: 1 }), killOrStall)
  const server =
    kind === 'postgres' ? await startPostgres({ settings: { fsync: 'on' } }) : await startRedis({ isDurable: true })
  return {
    port: server.port,
    failsOver: false,
    urlAt: port => server.url.replace(`:${server.port}`, `:${port}`),
    async restart() {
      await server.kill()
      await server.start()
      return 'restart'
    },
    end: () => server.end(),
  }
}

/**
 * Has a primary lost, in each of these ways in turn.
 * @template {string} How
 * @param {{ url: string, failOver: (how: How) => Promise<void>, end: () => Promise<void> }} servers
 * @param {{ ways: readonly How[], isSafe: boolean }} options
 * @returns {StoreUnderTest}
 */
function failingOver({ url, failOver, end }, { ways, isSafe }) {
  let count = 0
  return {
    port: undefined,
    failsOver: true,
    urlAt: () => (isSafe ? url : withoutReplicas(url)),
    async restart() {
      const how = /** @type {How} */ (ways[count++ % ways.length])
      await failOver(how)
      return how
    },
    end,
  }
}
