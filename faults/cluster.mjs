// Processes under test, each on a port of its own that it keeps when it is killed and started again.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../scripts/services/free-port.mjs'

const program = fileURLToPath(new URL('node.mjs', import.meta.url))

/**
 * @typedef {object} TestNode
 * @property {string} url
 * @property {() => Promise<void>} kill ends it with no warning, and starts it again
 * @property {(lost: import('./told-store.mjs').LostAck) => void} lose has it lose an acknowledgement of its store
 * @property {() => void} end
 */

/**
 * @param {Omit<import('./node.mjs').NodeSettings, 'port'>} settings
 * @param {(problem: string) => void} report told when one ends by itself
 * @returns {Promise<TestNode>}
 */
export async function startNode(settings, report) {
  const port = await freePort()
  let isEnding = false
  let child = launch()
  await ready(child)

  function launch() {
    const started = spawn(process.execPath, ['--enable-source-maps', program], {
      env: { ...process.env, NODE_SETTINGS: JSON.stringify({ ...settings, port }) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    let output = ''
    started.stderr?.setEncoding('utf8').on('data', text => {
      output += text
    })
    started.on('exit', (code, signal) => {
      if (signal !== 'SIGKILL' && !isEnding)
        report(`a process ended by itself (${code ?? signal}): ${output.slice(-2000)}`)
    })
    return started
  }

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async kill() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      if (isEnding) return
      child = launch()
      await ready(child)
    },
    lose(lost) {
      if (child.connected) child.send(lost, () => {})
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
