// Machines of our own on one machine: each has its processes and its network to itself (Linux namespaces), and they hang on one
// switch. So a machine can be ended, cut off, or cut off from some, without anybody else on this computer noticing.
//
// Whoever uses this runs in a network of its own too: `inOwnNetwork` starts the program again in one.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { findProgram } from './find-program.mjs'
import { reap } from './reaper.mjs'
import { until } from './until.mjs'

/**
 * @typedef {object} Machine
 * @property {string} address
 * @property {(command: readonly string[], user?: { uid: number, gid: number }) => import('node:child_process').ChildProcess} run
 * @property {() => Promise<void>} killAll ends all that runs there, with no warning
 * @property {(signal: 'SIGSTOP' | 'SIGCONT', pattern: string) => Promise<void>} signal to those whose command line has this
 * @property {(isCut: boolean) => Promise<void>} cut takes it off the network, and puts it back
 * @property {(addresses: readonly string[], isCut: boolean) => Promise<void>} cutFrom only from these: what it sends to them is lost
 * @property {() => Promise<void>} end
 */

const run = promisify(execFile)
const variable = 'BECKON_OWN_NETWORK'
const prefix = '10.77.0'
const itself = `${prefix}.1`

/** Whether this may be done here: by root, where the kernel has namespaces. */
export function hasNamespaces() {
  const programs = ['unshare', 'nsenter', 'ip'].map(name => findProgram([name], { folders: ['/usr/sbin', '/sbin'] }))
  return process.platform === 'linux' && process.getuid?.() === 0 && programs.every(Boolean)
}

/** Starts this very program again in a network of its own, and ends with it; or returns, where it is in one. */
export async function inOwnNetwork() {
  if (process.env[variable] === '1') return ip(['link', 'set', 'lo', 'up'])
  const child = spawn('unshare', ['--net', '--', process.execPath, ...process.argv.slice(1)], {
    env: { ...process.env, [variable]: '1' },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  process.exit(code ?? 1)
}

/** The switch, with this process on it. */
export async function startNetwork() {
  if (process.env[variable] !== '1') throw new Error('A private network is for a process that is in one of its own.')
  await ip(['link', 'add', 'switch', 'type', 'bridge'])
  await ip(['addr', 'add', `${itself}/24`, 'dev', 'switch'])
  await ip(['link', 'set', 'switch', 'up'])
  let count = 0
  return {
    /** @returns {Promise<Machine>} */
    async addMachine() {
      const number = ++count
      return startMachine(`port${number}`, `${prefix}.${10 + number}`)
    },
  }
}

/**
 * @param {string} port of the switch
 * @param {string} address
 * @returns {Promise<Machine>}
 */
async function startMachine(port, address) {
  const own = ['--net', '--pid', '--mount', '--mount-proc', '--fork', '--kill-child']
  // Processes that lost their parent are this one's: with its signal ignored, the kernel sees to it that none stays for nothing.
  const first = ['env', '--ignore-signal=CHLD', 'sleep', 'infinity']
  const holder = spawn('unshare', [...own, '--', ...first], { stdio: 'ignore' })
  reap(address, { pid: holder.pid })
  let init = 0
  await until('the machine runs', async () => {
    init = Number(readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim())
    return init > 0
  })
  const inside = ['--target', `${init}`, '--net', '--pid', '--mount']
  const there = (/** @type {string[]} */ ...command) => run('nsenter', [...inside, '--', ...command])
  await ip(['link', 'add', port, 'type', 'veth', 'peer', 'name', 'wire', 'netns', `${init}`])
  await ip(['link', 'set', port, 'master', 'switch', 'up'])
  await there('ip', 'addr', 'add', `${address}/24`, 'dev', 'wire')
  await there('ip', 'link', 'set', 'wire', 'up')
  await there('ip', 'link', 'set', 'lo', 'up')
  /** @type {Set<import('node:child_process').ChildProcess>} */
  const running = new Set()
  return {
    address,
    run(command, user) {
      const as = user ? ['--setuid', `${user.uid}`, '--setgid', `${user.gid}`] : []
      const child = spawn('nsenter', [...inside, ...as, '--', ...command], {
        stdio: ['ignore', 'pipe', 'pipe'],
        cwd: '/',
      })
      running.add(child)
      child.once('exit', () => running.delete(child))
      return child
    },
    async killAll() {
      // All but the first process there, which a signal from inside does not reach.
      await there('sh', '-c', 'kill -9 -1').catch(() => {})
    },
    async signal(signal, pattern) {
      await there('pkill', `-${signal.slice(3)}`, '-f', pattern)
    },
    async cut(isCut) {
      await ip(['link', 'set', port, isCut ? 'down' : 'up'])
    },
    async cutFrom(addresses, isCut) {
      for (const each of addresses) await there('ip', 'route', isCut ? 'add' : 'del', 'blackhole', `${each}/32`)
    },
    async end() {
      const gone = once(holder, 'exit')
      holder.kill('SIGKILL')
      await gone
      // One whose process was made to stand still stands still itself, and would not notice.
      for (const child of running) child.kill('SIGKILL')
      reap(address, {})
    },
  }
}

/** @param {string[]} args */
async function ip(args) {
  await run('ip', args)
}
