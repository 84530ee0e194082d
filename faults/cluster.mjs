// Processes under test, each on a port of its own that it keeps when it is killed and started again.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../scripts/services/free-port.mjs'

/** This version of the process under test. */
export const nodeProgram = fileURLToPath(new URL('node.mjs', import.meta.url))

/**
 * @typedef {object} TestNode
 * @property {string} url
 * @property {() => Promise<void>} kill ends it with no warning, and starts it again
 * @property {(lost: import('./told-store.mjs').LostAck) => void} lose has it lose an acknowledgement of its store
 * @property {() => void} end
 */

/**
 * A process with a program of its own, which is started again when it kills itself.
 * @typedef {object} TestProcess
 * @property {number} port
 * @property {() => Promise<void>} kill ends it with no warning, and starts it again
 * @property {(message: import('node:child_process').Serializable) => boolean} send false when it is not there
 * @property {() => void} end
 */

/**
 * @param {Omit<import('./node.mjs').NodeSettings, 'port'>} settings
 * @param {(problem: string) => void} report told when one ends by itself
 * @param {readonly string[]} [programs] one after the other, at each start the next
 * @returns {Promise<TestNode>}
 */
export async function startNode(settings, report, programs = [nodeProgram]) {
  const { port, kill, send, end } = await startProcess(programs, settings, { report })
  return { url: `http://127.0.0.1:${port}/mcp`, kill, lose: send, end }
}

/**
 * @param {string | readonly string[]} file beside this one; or the paths of several, one after the other, at each start the next
 * @param {object} settings
 * @param {object} on
 * @param {(problem: string) => void} on.report told when it ends by itself
 * @param {(message: any) => void} [on.onMessage]
 * @param {() => void} [on.onGone] told whenever it is gone
 * @returns {Promise<TestProcess>}
 */
export async function startProcess(file, settings, { report, onMessage = () => {}, onGone = () => {} }) {
  const programs = typeof file === 'string' ? [fileURLToPath(new URL(file, import.meta.url))] : file
  let starts = 0
  const port = await freePort()
  let isEnding = false
  let isKilled = false
  let child = launch()
  await ready(child)

  function launch() {
    const started = spawn(process.execPath, ['--enable-source-maps', programs[starts++ % programs.length] ?? ''], {
      env: { ...process.env, NODE_SETTINGS: JSON.stringify({ ...settings, port }) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    let output = ''
    started.stderr?.setEncoding('utf8').on('data', text => {
      output += text
    })
    started.on('message', onMessage)
    started.on('exit', (code, signal) => {
      onGone()
      if (isEnding || isKilled) return
      if (signal !== 'SIGKILL') report(`a process ended by itself (${code ?? signal}): ${output.slice(-2000)}`)
      child = launch()
    })
    return started
  }

  return {
    port,
    async kill() {
      isKilled = true
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      isKilled = false
      if (isEnding) return
      child = launch()
      await ready(child)
    },
    send(message) {
      return child.connected && child.send(message, () => {})
    },
    end() {
      isEnding = true
      child.kill('SIGKILL')
    },
  }
}

/** @param {import('node:child_process').ChildProcess} child */
async function ready(child) {
  await Promise.race([once(/** @type {import('node:stream').Readable} */ (child.stdout), 'data'), once(child, 'exit')])
}
