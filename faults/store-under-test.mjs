import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../scripts/services/postgres.mjs'
import { startRedis } from '../scripts/services/redis.mjs'

/** @typedef {'sqlite' | 'postgres' | 'redis'} StoreKind */

/**
 * @typedef {object} StoreUnderTest
 * @property {number | undefined} port
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
      urlAt: () => join(folder, 'state.db'),
      restart: async () => {},
      end: () => rm(folder, { recursive: true }),
    }
  }
  const server =
    kind === 'postgres' ? await startPostgres({ settings: { fsync: 'on' } }) : await startRedis({ isDurable: true })
  return {
    port: server.port,
    urlAt: port => server.url.replace(`:${server.port}`, `:${port}`),
    async restart() {
      await server.kill()
      await server.start()
    },
    end: () => server.end(),
  }
}
