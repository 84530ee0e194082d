import { postgresStore } from '@beckon/postgres'
import { redisStore } from '@beckon/redis'
import { sqliteStore } from '@beckon/sqlite'

const alone = '#alone'

/**
 * The URL of a store that does not wait for other servers, which could then lose what it acknowledged.
 * @param {string} url
 */
export const withoutReplicas = url => `${url}${alone}`

/**
 * The store at a URL; a path is that of a SQLite file.
 * @param {string} given
 * @returns {Promise<import('beckon/store').Store>}
 */
export async function openFor(given) {
  const isAlone = given.endsWith(alone)
  const url = isAlone ? given.slice(0, -alone.length) : given
  // With several hosts, another may have to go on with what was acknowledged.
  if (url.startsWith('postgres:')) return postgresStore({ url, requireSync: url.includes(',') && !isAlone })
  if (url.startsWith('redis+')) return redisStore({ url, replicas: isAlone ? 0 : 1 })
  return url.startsWith('redis:') ? redisStore(url) : sqliteStore(url)
}
