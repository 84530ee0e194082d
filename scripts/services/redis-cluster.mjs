import { findRedis, startRedis } from './redis.mjs'
import { findRedisCli, redisCli } from './redis-cli.mjs'
import { until } from './until.mjs'

/** Whether a Cluster can be started here. */
export function hasRedisCluster() {
  return findRedis() !== undefined && findRedisCli() !== undefined
}

/** @typedef {import('./server-process.mjs').TestServer} TestServer */

/**
 * Starts a Redis Cluster of three primaries, with so many replicas each.
 * @param {{ isDurable?: boolean, replicas?: number }} [options]
 */
export async function startRedisCluster({ isDurable = false, replicas = 0 } = {}) {
  // What is on the other nodes can be had while one is gone.
  const settings = { 'cluster-enabled': 'yes', 'cluster-require-full-coverage': 'no', 'cluster-node-timeout': '2000' }
  const count = 3 * (1 + replicas)
  const nodes = await Promise.all(Array.from({ length: count }, () => startRedis({ isDurable, settings })))
  const ports = nodes.map(({ port }) => port)
  const end = async () => {
    // One that has replicas waits for them before it stops, and they may be gone already.
    await Promise.all(nodes.map(node => node.kill().then(() => node.end())))
  }
  try {
    const addresses = ports.map(port => `127.0.0.1:${port}`)
    const create = ['--cluster', 'create', ...addresses, '--cluster-replicas', `${replicas}`, '--cluster-yes']
    await redisCli(ports[0] ?? 0, create)
    for (const port of ports) await until('the Cluster is there', () => isWhole(port, replicas))
  } catch (error) {
    await end()
    throw new Error('The Redis Cluster could not be made.', { cause: error })
  }
  return {
    nodes,
    url: `redis+cluster://${ports.map(port => `127.0.0.1:${port}`).join(',')}`,
    end,
    /**
     * Ends a primary, or makes it stand still, until its replica is the primary; then it comes back as a replica.
     * @param {'kill' | 'stall'} how
     */
    async failOver(how) {
      const primaries = await primariesBy(ports)
      const port = primaries[Math.floor(Math.random() * primaries.length)]
      const primary = nodes.find(node => node.port === port)
      const pid = primary?.pid()
      if (primary === undefined || pid === undefined) throw new Error(`There is no node on port ${port}.`)
      const others = ports.filter(other => other !== port)
      if (how === 'kill') await primary.kill()
      else process.kill(pid, 'SIGSTOP')
      await until('another is the primary', async () => {
        const now = await primariesBy(others)
        return now.length === 3 && !now.includes(primary.port)
      })
      if (how === 'kill') await primary.start()
      else process.kill(pid, 'SIGCONT')
      for (const each of ports) await until('the Cluster is whole again', () => isWhole(each, replicas))
    },
  }
}

/** Which nodes are primaries with slots, as the first of these knows that answers. @param {readonly number[]} ports */
async function primariesBy(ports) {
  const [first] = ports
  const nodes = await redisCli(first ?? 0, ['CLUSTER', 'NODES'])
  return nodes
    .split('\n')
    .filter(line => /\bmaster\b/.test(line) && !/fail/.test(line.split(' ')[2] ?? '') && /connected \d/.test(line))
    .map(line => Number(/:(\d+)@/.exec(line)?.[1]))
}

/**
 * Whether a node takes the Cluster for whole, and a primary has its replicas.
 * @param {number} port
 * @param {number} replicas
 */
async function isWhole(port, replicas) {
  if (!(await redisCli(port, ['CLUSTER', 'INFO'])).includes('cluster_state:ok')) return false
  const info = await redisCli(port, ['INFO', 'replication'])
  const online = (info.match(/^slave\d+:.*state=online/gm) ?? []).length
  return info.includes('role:slave') ? info.includes('master_link_status:up') : online >= replicas
}
