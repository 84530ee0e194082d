// Three machines with a Redis and a Sentinel each. One Redis is the primary; the Sentinels make another one the primary when it is
// gone.

import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasNamespaces, startNetwork } from './private-network.mjs'
import { reap } from './reaper.mjs'
import { findRedis } from './redis.mjs'
import { findRedisCli, redisCli } from './redis-cli.mjs'
import { until } from './until.mjs'

/**
 * What becomes of the primary. `kill`: all that runs on its machine is ended. `stall`: it stands still. `cut`: its machine is off the
 * network, silently. `split`: its machine does not reach the others, but whoever asks it something still does, and its own Sentinel
 * takes it for the primary.
 * @typedef {'kill' | 'stall' | 'cut' | 'split'} Loss
 */

/** @type {readonly Loss[]} */
export const losses = ['kill', 'stall', 'cut', 'split']

/** Of the primary; one that has fewer of them waits for the others to come back. */
export const replicas = 2

const name = 'primary'
const [redisPort, sentinelPort] = [6379, 26379]
const downAfterMs = 1_000
/** So long after another has taken over, whoever still talks to the former primary may go on to do so. */
const lingerMs = 1_000
/**
 * How often a Sentinel asks a server what it is, and a fourth of how long it waits before it has one follow that should: 10 and 2
 * seconds otherwise, so that most of a run would be waiting.
 */
const periods = ['INFO-PERIOD', '1000', 'PUBLISH-PERIOD', '500']

/** Whether Redis is here, and machines to run it on. */
export function hasRedisSentinel() {
  return hasNamespaces() && findRedis() !== undefined && findRedisCli() !== undefined
}

export async function startRedisSentinel() {
  const program = findRedis()
  if (!program) throw new Error('There is no redis-server on the PATH.')
  const folder = await mkdtemp(join(tmpdir(), 'beckon-sentinel-'))
  reap(folder, { folder })
  const network = await startNetwork()
  const machines = [await network.addMachine(), await network.addMachine(), await network.addMachine()]
  const firstAddress = machines[0]?.address ?? ''
  const servers = machines.map(machine => {
    const { address } = machine
    const files = writeSettings({ home: join(folder, address), address, firstAddress })
    const start = async () => {
      // A Sentinel is the same program, which Debian has in a package of its own only for its name and its unit.
      for (const command of [[files.redis], [files.sentinel, '--sentinel']]) {
        const child = machine.run([program, ...command])
        for (const stream of [child.stdout, child.stderr]) stream?.resume()
      }
      await until('its Sentinel answers', async () =>
        (await redisCli(sentinelPort, ['-h', address, 'SENTINEL', 'DEBUG', ...periods])).includes('OK'),
      )
    }
    return { machine, address, start }
  })
  /** @typedef {typeof servers[number]} Server */

  /** The primary, as the Sentinel beside a server knows it. @param {Server} server */
  async function primaryBy({ address }) {
    const known = await redisCli(sentinelPort, ['-h', address, 'SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name])
    return known.split('\n')[0] ?? ''
  }

  /** The primary on which all of these agree, once it takes itself for one. @param {readonly Server[]} asked */
  async function agreedPrimary(asked) {
    const known = new Set(await Promise.all(asked.map(primaryBy)))
    const primary = servers.find(({ address }) => known.size === 1 && known.has(address))
    return primary && (await replicationOf(primary.address)).includes('role:master') ? primary : undefined
  }

  async function isWhole() {
    const primary = await agreedPrimary(servers)
    const online = primary && (await replicationOf(primary.address)).match(/^slave\d+:.*state=online/gm)
    return online?.length === replicas
  }

  await Promise.all(servers.map(({ start }) => start()))
  await until('the Sentinels know each other and all servers', async () => {
    const counts = await Promise.all(
      servers.map(async ({ address }) => {
        const known = await redisCli(sentinelPort, ['-h', address, 'SENTINEL', 'MASTER', name])
        return `${fieldIn(known, 'num-slaves')} ${fieldIn(known, 'num-other-sentinels')}`
      }),
    )
    return counts.every(count => count === '2 2')
  })
  await until('both replicas are in step', isWhole)

  return {
    url: `redis+sentinel://${servers.map(({ address }) => `${address}:${sentinelPort}`).join(',')}/${name}`,
    /**
     * Has the primary lost, until another is; then it comes back as a replica.
     * @param {Loss} how
     */
    async failOver(how) {
      const old = await agreedPrimary(servers)
      if (old === undefined) throw new Error('The Sentinels do not agree who is the primary.')
      const others = servers.filter(server => server !== old)
      const reached = others.map(({ address }) => address)
      const redis = `:${redisPort}`
      if (how === 'kill') await old.machine.killAll()
      else if (how === 'stall') await old.machine.signal('SIGSTOP', redis)
      else if (how === 'cut') await old.machine.cut(true)
      else await old.machine.cutFrom(reached, true)
      await until('another is the primary', async () => {
        const next = await agreedPrimary(others)
        return next !== undefined && next !== old
      })
      await new Promise(resolve => setTimeout(resolve, lingerMs))
      if (how === 'kill') await old.start()
      else if (how === 'stall') await old.machine.signal('SIGCONT', redis)
      else if (how === 'cut') await old.machine.cut(false)
      else await old.machine.cutFrom(reached, false)
      // The Sentinels see to it that it follows the other.
      await until('all servers follow the primary', isWhole)
    },
    async end() {
      await Promise.all(machines.map(machine => machine.end()))
      await rm(folder, { recursive: true, force: true })
      reap(folder, {})
    },
  }
}

/**
 * The settings of a Redis and of its Sentinel, to which they write what they learn.
 * @param {{ home: string, address: string, firstAddress: string }} options
 */
function writeSettings({ home, address, firstAddress }) {
  mkdirSync(home)
  /** @param {string} file @param {readonly string[]} lines */
  const write = (file, lines) => {
    writeFileSync(join(home, file), `${[`bind ${address}`, 'protected-mode no', ...lines].join('\n')}\n`)
    return join(home, file)
  }
  const durable = ['save ""', 'appendonly yes', 'appendfsync always', 'maxmemory-policy noeviction']
  const follows = address === firstAddress ? [] : [`replicaof ${firstAddress} ${redisPort}`]
  return {
    // A replica that hears nothing from its primary asks again, and a primary that hears nothing from a replica gives it up.
    redis: write('redis.conf', [`port ${redisPort}`, `dir ${home}`, ...durable, ...follows, 'repl-timeout 5']),
    sentinel: write('sentinel.conf', [
      `port ${sentinelPort}`,
      `dir ${home}`,
      // Two of three agree.
      `sentinel monitor ${name} ${firstAddress} ${redisPort} 2`,
      `sentinel down-after-milliseconds ${name} ${downAfterMs}`,
      `sentinel failover-timeout ${name} ${3 * downAfterMs}`,
      `sentinel parallel-syncs ${name} 2`,
    ]),
  }
}

/** @param {string} address */
function replicationOf(address) {
  return redisCli(redisPort, ['-h', address, 'INFO', 'replication'])
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
