// How the scripts here start other programs. `install.mjs` uses this before anything is installed, so it needs Node alone.

import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the workspace. */
export const root = fileURLToPath(new URL('..', import.meta.url))

// The programs of installed packages are found by name, as in an npm script.
const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)

/** @typedef {{ code: number, output: string }} Finished */

/**
 * Runs a program in the workspace's folder and keeps what it printed.
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<Finished>}
 */
export function capture(command, args) {
  return start(command, args, { stdio: 'pipe' })
}

/**
 * Runs a program in the workspace's folder that prints straight to the terminal.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env] added to our own
 * @returns {Promise<number>} its exit code
 */
export async function show(command, args, env) {
  return (await start(command, args, { stdio: 'inherit', env })).code
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ stdio: 'pipe' | 'inherit', env?: Record<string, string> | undefined }} options
 * @returns {Promise<Finished>}
 */
function start(command, args, { stdio, env }) {
  const child = spawn(command, args, {
    cwd: root,
    stdio,
    env: { ...process.env, PATH: path, ...env },
    shell: process.platform === 'win32', // where these programs are batch files, which only a shell runs
  })
  const end = () => child.kill('SIGTERM')
  process.once('SIGTERM', end)
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', text => {
    output += text
  })
  child.stderr?.setEncoding('utf8').on('data', text => {
    output += text
  })
  return new Promise(resolve => {
    /** @param {number} code */
    const finish = code => {
      process.off('SIGTERM', end)
      resolve({ code, output })
    }
    child.on('error', error => {
      output += `${error.message}\n`
      finish(1)
    })
    child.on('close', code => finish(code ?? 1))
  })
}
