// Two Postgres servers, of which one is written to and the other follows it synchronously; when the first is gone, the second is
// promoted, and what was the first follows it from then on.
import { execFile } from 'node:child_process'
import { chownSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findProgram } from './find-program.mjs'
import { findPostgres, serverUser, startPostgres } from './postgres.mjs'
import { until } from './until.mjs'

/** @typedef {import('./server-process.mjs').TestServer} TestServer */

const run = promisify(execFile)
/** A commit waits for whichever follows. */
const syncSettings = {
  fsync: 'on',
  synchronous_standby_names: '*',
  hot_standby: 'on',
  wal_keep_size: '64MB',
  wal_receiver_status_interval: '1',
}

/** Whether a standby can be made here. */
export function hasPostgresStandby() {
  return findBasebackup() !== undefined
}

/** @param {{ isSync?: boolean }} [options] without synchronous replication, a commit waits for nobody */
export async function startPostgresPair({ isSync = true } = {}) {
  const settings = isSync ? syncSettings : { ...syncSettings, synchronous_standby_names: '' }
  let primary = await startPostgres({ settings })
  let standby = await startStandby(primary, settings)
  await until('the standby follows', () => isFollowed(primary))
  return {
    /** Both hosts, in no particular order. */
    url: `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    primary: () => primary,
    standby: () => standby,
    /**
     * Ends the primary, or makes it stand still, and promotes the other; then the first is made anew, and follows.
     * @param {'kill' | 'stall'} how
     */
    async failOver(how) {
      const [old, next] = [primary, standby]
      // Nobody is promoted over one that may still acknowledge: that is what fencing is for.
      await signalAll(old, 'SIGSTOP')
      if (how === 'kill') await endAll(old)
      await query(next, 'select pg_promote()')
      await until('it can be written to', async () => {
        const [row] = await query(next, 'select pg_is_in_recovery() as still')
        return row?.still === false
      })
      if (how === 'stall') await endAll(old)
      const { port } = old
      await old.end()
      primary = next
      standby = await startStandby(next, settings, port)
      await until('the other one follows', () => isFollowed(next))
    },
    /**
     * The standby stands still for as long as something else goes on.
     * @param {() => Promise<void>} meanwhile
     */
    async holdStandby(meanwhile) {
      await signalAll(standby, 'SIGSTOP')
      try {
        await meanwhile()
      } finally {
        await signalAll(standby, 'SIGCONT')
      }
    },
    async end() {
      await standby.kill()
      await primary.kill()
      await Promise.all([primary.end(), standby.end()])
    },
  }
}

/**
 * A copy of a server, which follows it.
 * @param {TestServer} primary
 * @param {Record<string, string>} settings
 * @param {number} [port]
 * @returns {Promise<TestServer>}
 */
async function startStandby(primary, settings, port) {
  const folder = await mkdtemp(join(tmpdir(), 'beckon-standby-'))
  const user = serverUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const from = ['-h', '127.0.0.1', '-p', `${primary.port}`, '-U', 'postgres']
  const how = ['-D', join(folder, 'data'), '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
  await run(findBasebackup() ?? '', [...from, ...how], { ...user, cwd: folder, timeout: 60_000 })
  const server = await startPostgres({ settings, folder, ...(port !== undefined && { port }) })
  return {
    ...server,
    get url() {
      return server.url
    },
    get port() {
      return server.port
    },
    async end() {
      await server.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** @param {TestServer} primary */
async function isFollowed(primary) {
  const names = await query(primary, `show synchronous_standby_names`)
  const wanted = names[0]?.synchronous_standby_names === '' ? 'async' : 'sync'
  const text = `select from pg_stat_replication where state = 'streaming' and sync_state = '${wanted}'`
  const rows = await query(primary, text)
  return rows.length > 0
}

/**
 * @param {TestServer} server
 * @param {string} text
 * @returns {Promise<Record<string, unknown>[]>}
 */
async function query({ url }, text) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 30_000 })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/**
 * Ends one that stands still, as when its machine is gone. Were it only its first process, the others would go on for a moment,
 * and show what no standby has: a commit that waits for one is given up then, and is seen.
 * @param {TestServer} server
 */
async function endAll(server) {
  await signalAll(server, 'SIGKILL')
  await server.kill()
}

/**
 * A server is several processes; the first of them comes first, so that no more are started.
 * @param {TestServer} server
 * @param {NodeJS.Signals} signal
 */
async function signalAll(server, signal) {
  const pid = server.pid()
  if (pid === undefined) return
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', `${pid}`]).catch(() => ({ stdout: '' }))
  for (const each of [pid, ...stdout.split('\n').map(Number).filter(Boolean)])
    try {
      process.kill(each, signal)
    } catch {
      // It has just ended.
    }
}

function findBasebackup() {
  const postgres = findPostgres()
  return postgres && findProgram(['pg_basebackup'], { folders: [dirname(postgres)] })
}
