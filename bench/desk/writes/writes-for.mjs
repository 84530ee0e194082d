import { barePostgres } from '../../durable/contenders/bare-postgres.mjs'
import { bareRedis } from '../../durable/contenders/bare-redis.mjs'
import { bareSqlite } from './bare-sqlite.mjs'

/** @typedef {import('../../durable/contenders/contender.mjs').Bare} Bare */

/**
 * The least that an ask needs where a URL says; none, in memory.
 * @param {string} url a path is that of a SQLite file
 * @returns {Promise<Bare>}
 */
export async function writesFor(url) {
  if (url === '') return inMemory()
  if (url.startsWith('postgres:')) return barePostgres(url)
  return url.startsWith('redis:') ? bareRedis(url) : bareSqlite(url)
}

/** @returns {Bare} */
function inMemory() {
  const open = new Set()
  return {
    async ask(id) {
      open.add(id)
    },
    async answer(id) {
      if (!open.delete(id)) throw new Error('It was answered before.')
    },
    async close() {},
  }
}
