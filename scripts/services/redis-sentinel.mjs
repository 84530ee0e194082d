// Three Redis servers, of which one is the primary, and three Sentinels that make another one the primary when it is gone.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from './find-program.mjs'
import { findRedis, startRedis } from './redis.mjs'
import { redisCli } from './redis-cli.mjs'
import { startServer } from './server-process.mjs'
import { until } from './until.mjs'

/** @typedef {import('./server-process.mjs').TestServer} TestServer */

/**
 * @typedef {object} SentinelSet
 * @property {string} url with which a store finds the primary
 * @property {(how: 'kill' | 'stall') => Promise<void>} failOver ends the primary, or makes it stand still, until another is;
 *   then it comes back as a replica
 * @property {() => Promise<void>} end
 */

const name = 'primary'
const downAfterMs = 1_000
/** Whether Sentinels can be started here. */
export function hasRedisSentinel() {
  return findRedis() !== undefined && findSentinel() !== undefined
}

/** @returns {Promise<SentinelSet>} */
export async function startRedisSentinel() {
  const servers = await Promise.all([1, 2, 3].map(() => startRedis({ isDurable: true })))
  const [first, ...others] = servers
  if (first === undefined) throw new Error('There is no server.')
  for (const { port } of others) await redisCli(port, ['REPLICAOF', '127.0.0.1', `${first.port}`])
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(first.port)))
  const [asked] = sentinels
  const primaryPort = async () => {
    const reply = await redisCli(asked?.port ?? 0, ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name])
    return Number(reply.split('\n')[1])
  }
  await until('the Sentinels know each other and all servers', async () => {
    const known = await redisCli(asked?.port ?? 0, ['SENTINEL', 'MASTER', name])
    return fieldIn(known, 'num-slaves') === '2' && fieldIn(known, 'num-other-sentinels') === '2'
  })
  await until('both replicas are in step', () => hasReplicas(first.port, 2))

  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${name}`,
    async failOver(how) {
      const port = await primaryPort()
      const primary = servers.find(server => server.port === port)
      const pid = primary?.pid()
      if (primary === undefined || pid === undefined) throw new Error(`There is no server on port ${port}.`)
      if (how === 'kill') await primary.kill()
      else process.kill(pid, 'SIGSTOP')
      await until('another is the primary', async () => (await primaryPort()) !== port)
      if (how === 'kill') await primary.start()
      else process.kill(pid, 'SIGCONT')
      const next = await primaryPort()
      // The Sentinels would see to that, after a while.
      await redisCli(port, ['REPLICAOF', '127.0.0.1', `${next}`])
      await until('all servers follow it', () => hasReplicas(next, 2))
    },
    async end() {
      // One that has replicas waits for them before it stops, and they may be gone already.
      await Promise.all([...sentinels, ...servers].map(server => server.kill().then(() => server.end())))
    },
  }
}

/** @param {number} primary */
async function startSentinel(primary) {
  const program = findSentinel()
  if (!program) throw new Error('There is no redis-sentinel on the PATH.')
  return startServer({
    name: 'sentinel',
    program,
    args: ({ port, folder }) => [fileIn(folder), '--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder],
    ready: /\+monitor master/,
    stopSignal: 'SIGTERM',
    urlOf: port => `redis://127.0.0.1:${port}`,
    async prepare(folder) {
      // Two of three agree. What they learn, they write here.
      const lines = [
        `sentinel monitor ${name} 127.0.0.1 ${primary} 2`,
        `sentinel down-after-milliseconds ${name} ${downAfterMs}`,
        `sentinel failover-timeout ${name} ${3 * downAfterMs}`,
        `sentinel parallel-syncs ${name} 2`,
      ]
      writeFileSync(fileIn(folder), `${lines.join('\n')}\n`)
    },
  })
}

/** @param {string} folder */
function fileIn(folder) {
  return join(folder, 'sentinel.conf')
}

/**
 * @param {number} port
 * @param {number} count
 */
async function hasReplicas(port, count) {
  const info = await redisCli(port, ['INFO', 'replication'])
  return info.includes('role:master') && (info.match(/^slave\d+:.*state=online/gm) ?? []).length >= count
}

/**
 * A value of a reply that has names and values in turn.
 * @param {string} reply
 * @param {string} wanted
 */
function fieldIn(reply, wanted) {
  const lines = reply.split('\n')
  return lines[lines.indexOf(wanted) + 1]
}

function findSentinel() {
  return findProgram(['redis-sentinel', 'valkey-sentinel'])
}
