// Postgres refuses to run as root. There it runs as a user who may do less, and owns nothing but the data.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram } from './find-program.mjs'
import { plainEnv, startServer } from './server-process.mjs'

// Debian keeps the server's programs off the PATH, in a folder for each version.
const debianFolder = '/usr/lib/postgresql'

/** @returns {string | undefined} the path of the server */
export function findPostgres() {
  const program = findProgram(['postgres'], { folders: debianFolders() })
  return program && findInitdb(program) && program
}

/**
 * Starts a Postgres of its own, whose data survives the end of its process but not that of the machine. `settings` are lines
 * of postgresql.conf, by name: `{ fsync: 'on' }` makes it wait for the disk.
 * @param {import('./server-process.mjs').Place & { settings?: Record<string, string> }} [options]
 * @returns {Promise<import('./server-process.mjs').TestServer>}
 */
export async function startPostgres({ settings = {}, ...place } = {}) {
  const program = findPostgres()
  const initdb = program && findInitdb(program)
  if (!program || !initdb) throw new Error('There is no Postgres server on the PATH.')
  const user = serverUser()
  const all = { fsync: 'off', max_connections: '200', unix_socket_directories: '', ...settings }
  return startServer(
    {
      name: 'postgres',
      program,
      args: ({ port, folder }) => [
        ...['-D', dataOf(folder), '-h', '127.0.0.1', '-p', `${port}`],
        ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      ready: /ready to accept (read-only )?connections/,
      stopSignal: 'SIGINT',
      urlOf: port => `postgres://postgres@127.0.0.1:${port}/postgres`,
      user,
      async prepare(folder) {
        if (!existsSync(join(dataOf(folder), 'PG_VERSION'))) await createData(initdb, folder, user)
      },
    },
    place,
  )
}

/** Who the server runs as, where it must not be us. */
export function serverUser() {
  return process.getuid?.() === 0 ? unprivilegedUser(readFileSync('/etc/passwd', 'utf8')) : undefined
}

/**
 * The user `postgres`, or else `nobody`, of an /etc/passwd.
 * @param {string} passwd
 */
export function unprivilegedUser(passwd) {
  const users = passwd.split('\n').map(line => line.split(':'))
  for (const wanted of ['postgres', 'nobody']) {
    const user = users.find(([name]) => name === wanted)
    if (user) return { uid: Number(user[2]), gid: Number(user[3]) }
  }
  throw new Error('Postgres does not run as root, and there is no user `postgres` or `nobody` that it could run as.')
}

/**
 * @param {string} initdb
 * @param {string} folder
 * @param {{ uid: number, gid: number } | undefined} user
 */
async function createData(initdb, folder, user) {
  const options = ['-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  const child = spawn(initdb, ['-D', dataOf(folder), ...options], { ...user, cwd: folder, env: plainEnv() })
  let output = ''
  child.stdout.on('data', text => {
    output += text
  })
  child.stderr.on('data', text => {
    output += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`initdb failed:\n${output}`)
}

/** @param {string} postgres */
function findInitdb(postgres) {
  return findProgram(['initdb'], { folders: [dirname(postgres), ...debianFolders()] })
}

function debianFolders() {
  if (!existsSync(debianFolder)) return []
  const versions = readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a))
  return versions.map(version => join(debianFolder, version, 'bin'))
}

/** @param {string} folder */
function dataOf(folder) {
  return join(folder, 'data')
}
