// A server for tests: a process with a port on 127.0.0.1 and a folder of its own, which can be stopped, killed and started
// again where it was.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort, isTaken } from './free-port.mjs'
import { reap } from './reaper.mjs'

/**
 * Where a server is to run. Its port and folder are made up unless given; a folder that is given is the caller's to remove.
 * @typedef {{ port?: number, folder?: string }} Place
 */

/**
 * @typedef {object} TestServer
 * @property {string} url
 * @property {number} port
 * @property {string} folder where its data is
 * @property {() => number | undefined} pid
 * @property {() => Promise<void>} start starts it again on the same port and folder, with the data that is there
 * @property {() => Promise<void>} stop stops it in good order; its data stays
 * @property {() => Promise<void>} kill ends it with no warning (`kill -9`); what it wrote stays
 * @property {() => Promise<void>} end ends it for good, and removes the folder
 */

/**
 * What `startServer` has to know of a kind of server.
 * @typedef {object} Kind
 * @property {string} name
 * @property {string} program its path
 * @property {(place: { port: number, folder: string }) => string[]} args
 * @property {RegExp} ready what it prints once it takes connections
 * @property {NodeJS.Signals} stopSignal asks it to stop without waiting for its clients
 * @property {(port: number) => string} urlOf
 * @property {{ uid: number, gid: number } | undefined} [user] who it runs as, where it must not be us
 * @property {(folder: string) => Promise<void>} [prepare] makes its data, once
 */

const portsTried = 5
const restartsTried = 100
const pauseMs = 50

/**
 * @param {Kind} kind
 * @param {Place} [place]
 * @returns {Promise<TestServer>}
 */
export async function startServer(kind, place = {}) {
  const folder = place.folder ?? (await mkdtemp(join(tmpdir(), `beckon-${kind.name}-`)))
  const removed = place.folder === undefined ? folder : undefined
  reap(folder, { folder: removed })
  if (kind.user) chownSync(folder, kind.user.uid, kind.user.gid)
  await kind.prepare?.(folder)
  let port = place.port ?? (await freePort())
  let child = await runSomewhere()

  async function run() {
    return launch(kind, { port, folder }, pid => reap(folder, { pid, folder: removed }))
  }

  /** Another process may take a free port first: then another one is as good. */
  async function runSomewhere() {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run()
      } catch (error) {
        if (place.port !== undefined || attempt === portsTried) throw error
        port = await freePort()
      }
    }
  }

  /** What a server that was killed leaves in memory may still be in use, for as long as its processes take to notice. */
  async function runAgain() {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run()
      } catch (error) {
        if (attempt === restartsTried) throw error
        await setTimeout(pauseMs)
      }
    }
  }

  /** @param {NodeJS.Signals} signal */
  async function finish(signal) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await once(child, 'exit')
      // Processes of its own may have outlived it by a moment.
      while (await isTaken(port)) await setTimeout(pauseMs)
    }
    reap(folder, { folder: removed })
  }

  return {
    get url() {
      return kind.urlOf(port)
    },
    get port() {
      return port
    },
    folder,
    pid: () => child.pid,
    async start() {
      child = await runAgain()
    },
    stop: () => finish(kind.stopSignal),
    kill: () => finish('SIGKILL'),
    async end() {
      await finish(kind.stopSignal)
      if (removed) await rm(removed, { recursive: true, force: true })
      reap(folder, {})
    },
  }
}

/**
 * @param {Kind} kind
 * @param {{ port: number, folder: string }} place
 * @param {(pid: number | undefined) => void} started
 */
async function launch({ name, program, args, ready, user }, place, started) {
  const child = spawn(program, args(place), { ...user, cwd: place.folder, env: plainEnv(), stdio: 'pipe' })
  started(child.pid)
  let output = ''
  await new Promise((resolve, reject) => {
    /** @param {string} text */
    const look = text => {
      output += text
      if (ready.test(output)) resolve(undefined)
    }
    child.stdout.setEncoding('utf8').on('data', look)
    child.stderr.setEncoding('utf8').on('data', look)
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${name} did not start on port ${place.port}:\n${output}`)))
  })
  // What it prints from now on is read and dropped, so that it never waits for us.
  for (const stream of [child.stdout, child.stderr]) stream.removeAllListeners('data').resume()
  return child
}

/** What these programs print depends on the language of the system, unless told. */
export function plainEnv() {
  return { PATH: process.env.PATH, LC_ALL: 'C' }
}
