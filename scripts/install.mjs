// Installs the packages when they are missing or are not those of package-lock.json. npm leaves a record of what it
// installed in node_modules/.package-lock.json, as the last thing it does; comparing the two takes milliseconds, and
// needs no stamp of our own that an `npm install` by hand would not know of.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { capture, root } from './run.mjs'

/** @typedef {{ version?: string, link?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage */
/** @typedef {{ packages: Record<string, LockedPackage> }} Lock */

// npm says what is wrong first, then how it is used at length.
const linesShown = 30

/**
 * Installs what is missing.
 * @param {string} [folder] one with a lock file of its own; the workspace otherwise
 * @returns {Promise<boolean>} whether everything is there now; when not, what to do has been printed
 */
export async function ensureInstalled(folder = '.') {
  const wanted = await readLock(join(folder, 'package-lock.json'))
  const installed = await readLock(join(folder, 'node_modules/.package-lock.json'))
  if (wanted && installed && isInstalled(wanted, installed)) return true

  console.log(`Installing packages (npm ci${folder === '.' ? '' : ` in ${folder}`}) ...`)
  // The tools are development dependencies, which NODE_ENV=production would leave out.
  const { code, output } = await capture('npm', ['ci', '--prefix', folder, '--include=dev', '--include=optional'])
  if (code === 0) return true

  console.error(output.split('\n').slice(0, linesShown).join('\n'))
  console.error(`
\`npm ci\` failed, as above. If it says that package.json and package-lock.json are not in sync, run \`npm install\` and
commit the lock file. Else check that the npm registry can be reached, and try again.`)
  return false
}

/**
 * Whether npm's record of an installation has what the lock file wants. A package for another platform is not there.
 * @param {Lock} wanted
 * @param {Lock} installed
 */
export function isInstalled(wanted, installed) {
  const inModules = (/** @type {string} */ path) => path.includes('node_modules/')
  const isSame = (/** @type {string} */ path) => {
    const want = wanted.packages[path]
    const have = installed.packages[path]
    if (!want) return false
    if (!have) return want.optional === true || want.devOptional === true
    return want.version === have.version && want.link === have.link
  }
  return [...Object.keys(wanted.packages), ...Object.keys(installed.packages)].filter(inModules).every(isSame)
}

/**
 * @param {string} path
 * @returns {Promise<Lock | undefined>}
 */
async function readLock(path) {
  try {
    return JSON.parse(await readFile(join(root, path), 'utf8'))
  } catch {
    return undefined
  }
}
