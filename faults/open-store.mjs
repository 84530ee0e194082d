import { postgresStore } from '@beckon/postgres'
import { redisStore } from '@beckon/redis'
import { sqliteStore } from '@beckon/sqlite'

/**
 * The store at a URL; a path is that of a SQLite file.
 * @param {string} url
 * @returns {Promise<import('beckon/store').Store>}
 */
export async function openFor(url) {
  if (url.startsWith('postgres:')) return postgresStore(url)
  // What another server may have to go on with is on a replica before it is acknowledged.
  if (url.startsWith('redis+')) return redisStore({ url, replicas: 1 })
  return url.startsWith('redis:') ? redisStore(url) : sqliteStore(url)
}
