import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { findProgram } from './find-program.mjs'

/** Whether Debian's packages can be installed here, by us. */
export function canInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && findApt() !== undefined
}

/**
 * Installs packages of Debian, each group whether or not the others can be had, and says so.
 * @param {readonly string[][]} groups
 */
export async function installPackages(groups) {
  console.log(`Installing ${groups.flat().join(', ')} (apt-get install) ...`)
  // A list that could not be had says nothing about the packages of the others.
  await apt(['update'])
  for (const packages of groups) {
    const { code, output } = await apt(['install', '-y', '--no-upgrade', '--no-install-recommends', ...packages])
    if (code !== 0) console.error(output)
  }
}

/** @param {string[]} args */
async function apt(args) {
  const options = ['-o', 'Acquire::Retries=2', '-o', 'Acquire::http::Timeout=30', '-q']
  // In that run level Debian starts no service that it installs: the tests have servers of their own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const child = spawn(findApt() ?? '', [...options, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', text => {
      output += text
    })
  const [code] = await once(child, 'close')
  return { code, output }
}

function findApt() {
  return findProgram(['apt-get'])
}
