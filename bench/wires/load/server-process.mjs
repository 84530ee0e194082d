import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * A server that is measured.
 * @typedef {object} ServerProcess
 * @property {string} url
 * @property {() => string} errors the end of what it wrote to standard error
 * @property {() => Promise<number>} cpuUs the CPU time that it has used so far, in microseconds
 * @property {() => void} stop
 */

/**
 * Starts a server in a process of its own, which ends with this one.
 * @param {URL} file
 * @param {string[]} [args]
 * @returns {Promise<ServerProcess>}
 */
export async function startServer(file, args = []) {
  const path = fileURLToPath(file)
  const child = fork(path, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let errors = ''
  child.stderr?.on('data', chunk => {
    errors = (errors + chunk).slice(-2000)
  })
  const [ready] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (!ready?.url) throw new Error(`${path} did not start:\n${errors}`)
  return {
    url: ready.url,
    errors: () => errors,
    async cpuUs() {
      child.send('usage')
      const [{ cpu }] = await once(child, 'message')
      return cpu.user + cpu.system
    },
    stop: () => child.kill(),
  }
}
