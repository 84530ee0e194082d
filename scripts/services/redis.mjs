import { findProgram } from './find-program.mjs'
import { startServer } from './server-process.mjs'

/** @returns {string | undefined} the path of the server */
export function findRedis() {
  return findProgram(['redis-server', 'valkey-server'])
}

/**
 * Starts a Redis of its own. Unless `isDurable`, it keeps nothing when it ends; with it, nothing is acknowledged before it
 * is on disk. `settings` are more lines of redis.conf, by name.
 * @param {import('./server-process.mjs').Place & { isDurable?: boolean, settings?: Record<string, string> }} [options]
 * @returns {Promise<import('./server-process.mjs').TestServer>}
 */
export async function startRedis({ isDurable = false, settings = {}, ...place } = {}) {
  const program = findRedis()
  if (!program) throw new Error('There is no redis-server on the PATH.')
  const persistence = { save: '', appendonly: isDurable ? 'yes' : 'no', appendfsync: isDurable ? 'always' : 'no' }
  return startServer(
    {
      name: 'redis',
      program,
      args: ({ port, folder }) =>
        Object.entries({
          port: `${port}`,
          bind: '127.0.0.1',
          dir: folder,
          daemonize: 'no',
          'maxmemory-policy': 'noeviction',
          ...persistence,
          ...settings,
        }).flatMap(([name, value]) => [`--${name}`, value]),
      ready: /Ready to accept connections/,
      stopSignal: 'SIGTERM',
      urlOf: port => `redis://127.0.0.1:${port}`,
    },
    place,
  )
}
