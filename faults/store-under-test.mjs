import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { losses as patroniLosses, startPatroni } from '../scripts/services/patroni.mjs'
import { startPostgres } from '../scripts/services/postgres.mjs'
import { startPostgresPair } from '../scripts/services/postgres-standby.mjs'
import { startRedis } from '../scripts/services/redis.mjs'
import { startRedisCluster } from '../scripts/services/redis-cluster.mjs'
import {
  losses as sentinelLosses,
  replicas as sentinelReplicas,
  startRedisSentinel,
} from '../scripts/services/redis-sentinel.mjs'
import { withReplicas } from './open-store.mjs'

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
 * @property {'all' | 'fewer' | 'none'} [waitsFor] which of the servers that may take over have to have a write before it is
 *   acknowledged: all, unless given
 * @property {readonly string[] | undefined} [ways] how primaries are lost; in every way that there is, otherwise
 */

/**
 * A store of its own for a run, which writes to disk what it acknowledges.
 * @param {StoreKind} kind
 * @param {FailoverOptions} [options]
 * @returns {Promise<StoreUnderTest>}
 */
export async function startStore(kind, { waitsFor = 'all', ways } = {}) {
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
  /** @template {string} How @param {readonly How[]} all @param {number} replicas of a primary */
  const chosen = (all, replicas) => ({
    ways: all.filter(how => ways?.includes(how) ?? true),
    replicas: waitsFor === 'all' ? replicas : waitsFor === 'fewer' ? replicas - 1 : 0,
  })
  const killOrStall = chosen(/** @type {const} */ (['kill', 'stall']), 1)
  const isSync = waitsFor === 'all'
  if (kind === 'standby') return failingOver(await startPostgresPair({ isSync }), killOrStall)
  if (kind === 'patroni') return failingOver(await startPatroni({ isSync }), chosen(patroniLosses, 1))
  if (kind === 'sentinel') return failingOver(await startRedisSentinel(), chosen(sentinelLosses, sentinelReplicas))
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
 * @param {{ ways: readonly How[], replicas: number }} options how many of them have to have a write
 * @returns {StoreUnderTest}
 */
function failingOver({ url, failOver, end }, { ways, replicas }) {
  let count = 0
  return {
    port: undefined,
    failsOver: true,
    urlAt: () => withReplicas(url, replicas),
    async restart() {
      const how = /** @type {How} */ (ways[count++ % ways.length])
      await failOver(how)
      return how
    },
    end,
  }
}
