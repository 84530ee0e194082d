// Where desks keep what they know: a database for each, on servers that write to disk before they answer.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../../scripts/services/postgres.mjs'
import { startRedis } from '../../../scripts/services/redis.mjs'

/**
 * @typedef {object} Place
 * @property {string} name
 * @property {boolean} isShared whether several nodes can work on it
 * @property {() => Promise<string>} fresh the URL of an empty one, of which every user of this benchmark has their own
 * @property {() => number | undefined} pid of its server, where it has one
 */

/** @returns {Promise<{ places: Record<'memory' | 'sqlite' | 'postgres' | 'redis', Place>, end(): Promise<void> }>} */
export async function startPlaces() {
  const folder = await mkdtemp(join(tmpdir(), 'beckon-bench-'))
  const postgres = await startPostgres({ settings: { fsync: 'on' } })
  const redis = await startRedis({ isDurable: true, settings: { databases: '256' } })
  let made = 0
  return {
    places: {
      memory: { name: 'memory', isShared: false, pid: () => undefined, fresh: async () => '' },
      sqlite: {
        name: 'SQLite',
        isShared: true,
        pid: () => undefined,
        fresh: async () => join(folder, `${made++}.db`),
      },
      postgres: {
        name: 'Postgres',
        isShared: true,
        pid: () => postgres.pid(),
        async fresh() {
          const name = `bench_${made++}`
          const client = new pg.Client(postgres.url)
          await client.connect()
          await client.query(`create database ${name}`)
          await client.end()
          return Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href
        },
      },
      redis: {
        name: 'Redis',
        isShared: true,
        pid: () => redis.pid(),
        fresh: async () => `${redis.url}/${made++}`,
      },
    },
    async end() {
      await Promise.all([postgres.end(), redis.end()])
      await rm(folder, { recursive: true })
    },
  }
}
