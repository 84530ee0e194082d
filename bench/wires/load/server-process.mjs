import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { asDeployed } from '../../as-deployed.mjs'

/**
 * A server that is measured.
 * @typedef {object} ServerProcess
 * @property {string} url
 * @property {() => string} errors the end of what it wrote to standard error
 * @property {(command: string | [name: string, argument: unknown]) => Promise<any>} tell sends a command, and gives what the server says to it
 * @property {() => Promise<number>} cpuUs the CPU time that it has used so far, in microseconds
 * @property {() => void} stop
 */

/**
 * Starts a server in a process of its own, which ends with this one.
 * @param {URL} file
 * @param {{ args?: string[], execArgv?: string[] }} [options]
 * @returns {Promise<ServerProcess>}
 */
export async function startServer(file, { args = [], execArgv = [] } = {}) {
  const path = fileURLToPath(file)
  const child = fork(path, args, { execArgv: [...asDeployed, ...execArgv], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let errors = ''
  child.stderr?.on('data', chunk => {
    errors = (errors + chunk).slice(-2000)
  })
  const exited = once(child, 'exit')
  const [ready] = await Promise.race([once(child, 'message'), exited])
  if (!ready?.url) throw new Error(`${path} did not start:\n${errors}`)

  /** @param {string | [name: string, argument: unknown]} command */
  async function tell(command) {
    child.send(command)
    const [said] = await Promise.race([once(child, 'message'), exited])
    if (typeof said !== 'object' || said === null) throw new Error(`${path} ended:\n${errors}`)
    if (said.failed !== undefined) throw new Error(`${path} could not do ${command}: ${said.failed}\n${errors}`)
    return said
  }

  return {
    url: ready.url,
    errors: () => errors,
    tell,
    async cpuUs() {
      const { cpu } = await tell('usage')
      return cpu.user + cpu.system
    },
    stop: () => child.kill(),
  }
}
