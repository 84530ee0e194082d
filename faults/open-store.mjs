import { postgresStore } from '@beckon/postgres'
import { redisStore } from '@beckon/redis'
import { sqliteStore } from '@beckon/sqlite'

const mark = '#replicas='

/**
 * The URL of a store that waits for so many other servers before it acknowledges a write. With fewer than there are, it could
 * lose what it acknowledged.
 * @param {string} url
 * @param {number} replicas
 */
export const withReplicas = (url, replicas) => `${url}${mark}${replicas}`

/**
 * The store at a URL; a path is that of a SQLite file.
 * @param {string} given
 * @returns {Promise<import('beckon/store').Store>}
 */
export async function openFor(given) {
  const [url = '', waitsFor = '0'] = given.split(mark)
  const replicas = Number(waitsFor)
  if (url.startsWith('postgres:')) return postgresStore({ url, requireSync: replicas > 0 })
  return url.startsWith('redis') ? redisStore({ url, replicas }) : sqliteStore(url)
}
