import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} ServerProcess
 * @property {string} url
 * @property {() => Promise<number>} cpuMs CPU that the server has used so far
 * @property {() => void} stop
 */

/**
 * @param {string} name
 * @param {string[]} [args]
 * @returns {Promise<ServerProcess>}
 */
export async function startServer(name, args = []) {
  const child = fork(fileURLToPath(new URL(`../servers/${name}.mjs`, import.meta.url)), args)
  const [{ url }] = await once(child, 'message')
  return {
    url,
    async cpuMs() {
      child.send('cpu')
      const [{ cpu }] = await once(child, 'message')
      return (cpu.user + cpu.system) / 1000
    },
    stop: () => child.kill(),
  }
}
