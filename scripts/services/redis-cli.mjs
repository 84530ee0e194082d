import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findProgram } from './find-program.mjs'

const run = promisify(execFile)

/** @returns {string | undefined} the path of the command */
export function findRedisCli() {
  return findProgram(['redis-cli', 'valkey-cli'])
}

/**
 * What a server says to a command.
 * @param {number} port
 * @param {string[]} command
 */
export async function redisCli(port, command) {
  const { stdout } = await run(findRedisCli() ?? '', ['-p', `${port}`, ...command], { timeout: 30_000 })
  return stdout
}
