// Starts a server of ours in a process of its own, on a port that is free, and knows its address from what it prints.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const readyWithinMs = 20_000
const stopWithinMs = 3_000

/**
 * @typedef {object} Started
 * @property {string} url
 * @property {() => string} said all that it printed
 * @property {() => Promise<void>} stop
 */

/**
 * @param {string[]} args for Node
 * @param {Record<string, string>} [env]
 * @returns {Promise<Started>}
 */
export function startServer(args, env = {}) {
  return startProgram([process.execPath, ...args], { env })
}

/**
 * @param {readonly string[]} command
 * @param {{ env?: Record<string, string>, addressIn?: (line: string) => string | undefined }} [options]
 * @returns {Promise<Started>}
 */
export async function startProgram([program = '', ...args], { env = {}, addressIn = addressOf } = {}) {
  const entry = args.join(' ')
  const child = spawn(program, args, {
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const gone = new Promise(resolve => child.once('close', resolve)).then(() => process.off('exit', kill))
  let said = ''

  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      kill()
      reject(new Error(`${entry} was not ready within ${readyWithinMs} ms.\n${said}`))
    }, readyWithinMs)
    for (const output of [child.stdout, child.stderr]) {
      createInterface(output).on('line', line => {
        said += `${line}\n`
        const address = addressIn(line)
        if (address === undefined) return
        clearTimeout(timer)
        resolve(address)
      })
    }
    gone.then(() => {
      clearTimeout(timer)
      reject(new Error(`${entry} ended with ${child.exitCode ?? child.signalCode} before it was ready.\n${said}`))
    })
  })

  return {
    url,
    said: () => said,
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(kill, stopWithinMs)
      await gone
      clearTimeout(timer)
    },
  }
}

/** @param {string} line */
function addressOf(line) {
  return /http:\S+/.exec(line)?.[0]
}
