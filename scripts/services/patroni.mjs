// Three machines with Postgres under Patroni, and one with etcd, by which they agree who is the primary.

import { chownSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { findProgram } from './find-program.mjs'
import { findPostgres, serverUser } from './postgres.mjs'
import { hasNamespaces, startNetwork } from './private-network.mjs'
import { reap } from './reaper.mjs'
import { until } from './until.mjs'

/**
 * What becomes of the primary. `kill`: all of its processes are ended. `cut`: its machine is off the network, silently. `split`: it
 * reaches neither etcd nor the others, but whoever asks it something still does. `freeze`: its Patroni stands still, and nobody
 * is there to tell its Postgres that it is not the primary any more.
 * @typedef {'kill' | 'cut' | 'split' | 'freeze'} Loss
 */

/** @type {readonly Loss[]} */
export const losses = ['kill', 'cut', 'split', 'freeze']

const scope = 'beckon'
/** So long after another has taken over, whoever still talks to the former primary may go on to do so. */
const lingerMs = 2_000

/** Whether Patroni and etcd are here, and machines to run them on. */
export function hasPatroni() {
  return hasNamespaces() && [findPostgres(), findProgram(['patroni']), findProgram(['etcd'])].every(Boolean)
}

/**
 * @param {{ isSync?: boolean }} [options] without synchronous replication, what was acknowledged last may be lost
 */
export async function startPatroni({ isSync = true } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'beckon-patroni-'))
  reap(folder, { folder })
  const user = serverUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const network = await startNetwork()
  const etcd = await network.addMachine()
  const machines = [await network.addMachine(), await network.addMachine(), await network.addMachine()]
  const etcdUrl = `http://${etcd.address}:2379`
  const listening = ['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl]
  etcd.run(['etcd', '--data-dir', join(folder, 'etcd'), ...listening, '--enable-v2', '--log-level', 'error'], user)
  await until('etcd answers', async () => (await fetch(`${etcdUrl}/health`)).ok)
  const servers = machines.map((machine, index) => {
    const name = `node${index + 1}`
    const file = join(folder, `${name}.json`)
    writeFileSync(
      file,
      JSON.stringify(settingsOf({ name, folder, address: machine.address, etcd: etcd.address, isSync })),
    )
    const start = () => {
      const child = machine.run(['patroni', file], user)
      for (const stream of [child.stdout, child.stderr]) stream?.resume()
    }
    start()
    return { name, machine, start }
  })

  /** @returns {Promise<{ name: string, role: string, state: string }[]>} */
  async function members(/** @type {readonly typeof servers[number][]} */ asked = servers) {
    for (const { machine } of asked) {
      try {
        const signal = AbortSignal.timeout(3_000)
        const reply = await fetch(`http://${machine.address}:8008/cluster`, { signal })
        if (reply.ok) return (await reply.json()).members
      } catch {
        // Another may know.
      }
    }
    return []
  }

  async function isWhole() {
    const known = await members()
    const roles = known.filter(({ state }) => state === 'running' || state === 'streaming').map(({ role }) => role)
    const wanted = isSync ? ['leader', 'replica', 'sync_standby'] : ['leader', 'replica', 'replica']
    return roles.sort().join() === wanted.join()
  }

  /** @returns {Promise<typeof servers[number]>} */
  async function primary() {
    // One that had to wait for its turn may have given itself up meanwhile, and another may be about to take over.
    await until('there is a primary, and the others follow', isWhole)
    const leader = (await members()).find(({ role }) => role === 'leader')?.name
    return servers.find(({ name }) => name === leader) ?? primary()
  }

  await primary()
  return {
    url: `postgres://postgres@${machines.map(({ address }) => address).join(',')}/postgres`,
    /**
     * Has the primary lost, until another is; then it comes back.
     * @param {Loss} how
     */
    async failOver(how) {
      const old = await primary()
      const others = servers.filter(server => server !== old)
      const reached = [etcd.address, ...others.map(({ machine }) => machine.address)]
      if (how === 'kill') await old.machine.killAll()
      else if (how === 'cut') await old.machine.cut(true)
      else if (how === 'split') await old.machine.cutFrom(reached, true)
      else await old.machine.signal('SIGSTOP', 'bin/patroni')
      await until('another is the primary', async () => {
        const next = (await members(others)).find(({ role, name }) => role === 'leader' && name !== old.name)
        const server = others.find(({ name }) => name === next?.name)
        return server !== undefined && (await isPrimary(server.machine.address))
      })
      await new Promise(resolve => setTimeout(resolve, lingerMs))
      if (how === 'kill') old.start()
      else if (how === 'cut') await old.machine.cut(false)
      else if (how === 'split') await old.machine.cutFrom(reached, false)
      else await old.machine.signal('SIGCONT', 'bin/patroni')
      await until('all follow the primary', isWhole)
    },
    async end() {
      await Promise.all([etcd, ...machines].map(machine => machine.end()))
      await rm(folder, { recursive: true, force: true })
      reap(folder, {})
    },
  }
}

/** @param {{ name: string, folder: string, address: string, etcd: string, isSync: boolean }} options */
function settingsOf({ name, folder, address, etcd, isSync }) {
  const home = join(folder, name)
  mkdirSync(home)
  const user = serverUser()
  if (user) chownSync(home, user.uid, user.gid)
  return {
    scope,
    name,
    log: { level: 'ERROR' },
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    etcd: { host: `${etcd}:2379` },
    bootstrap: {
      dcs: {
        // A lock that is not renewed in this time is another's. With less, a busy machine loses it for nothing.
        ttl: 8,
        loop_wait: 1,
        retry_timeout: 3,
        maximum_lag_on_failover: 100_000_000,
        synchronous_mode: isSync,
        // A Postgres that ended is not started again as the primary: another takes over.
        primary_start_timeout: 0,
        master_start_timeout: 0,
        postgresql: {
          use_pg_rewind: true,
          parameters: { wal_log_hints: 'on', hot_standby: 'on', wal_keep_size: '128MB', max_connections: 100 },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: ['host all all all trust', 'host replication all all trust', 'local all all trust'],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: join(home, 'data'),
      bin_dir: dirname(realpathSync(findPostgres() ?? '')),
      pgpass: join(home, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: 'none' },
        replication: { username: 'replicator', password: 'none' },
        rewind: { username: 'postgres', password: 'none' },
      },
      parameters: {
        unix_socket_directories: home,
        wal_receiver_status_interval: 1,
        wal_receiver_timeout: '3s',
        wal_sender_timeout: '3s',
      },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  }
}

/** @param {string} host */
async function isPrimary(host) {
  const client = new pg.Client({ host, user: 'postgres', database: 'postgres', connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query('select pg_is_in_recovery() as still')
    return rows[0]?.still === false
  } finally {
    await client.end()
  }
}
