import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))

/**
 * Imports a package as this folder has it, from a benchmark that lives elsewhere.
 * @param {string} name
 */
export const peer = name => import(name)

/** Installs the peers exactly as the lock file says, unless that was done before. */
export function installPeers() {
  if (isInstalled()) return
  console.log('Installing what Beckon is compared with (npm ci in bench/peers) ...')
  execFileSync('npm', ['ci', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32', // where npm is a batch file, which only a shell runs
  })
}

// npm writes its own record last, so it is there only after an installation that ended well.
function isInstalled() {
  const record = `${folder}node_modules/.package-lock.json`
  if (!existsSync(record)) return false
  const { packages: wanted } = read(`${folder}package-lock.json`)
  const { packages: installed } = read(record)
  return Object.keys(read(`${folder}package.json`).dependencies).every(name => {
    const path = `node_modules/${name}`
    return installed[path]?.version !== undefined && installed[path].version === wanted[path]?.version
  })
}

/** @param {string} file */
function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
