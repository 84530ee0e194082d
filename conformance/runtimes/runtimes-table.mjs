// The table of runtimes in the README, which a whole run writes; what it is made of is kept beside it, so that a table that nobody's
// run wrote is noticed.
import { readFile, writeFile } from 'node:fs/promises'
import { tablePlace } from '../table.mjs'

/** @typedef {import('./stories.mjs').Story} Story */
/** @typedef {{ runtime: string, from: string | undefined, served: string, era: import('./stories.mjs').Era, stories: Partial<Record<Story, boolean>> }} Row */
/** @typedef {Omit<Row, 'from'> & { version: string }} Result */

const results = new URL('./runtimes.json', import.meta.url)
const page = new URL('../../README.md', import.meta.url)
const locks = ['./package-lock.json', './workerd/package-lock.json'].map(path => new URL(path, import.meta.url))
const { withTable } = tablePlace('npm run runtimes', 'README.md')

/**
 * Writes down how a whole run went.
 * @param {readonly Row[]} rows
 */
export async function writeTable(rows) {
  const packages = await lockedPackages()
  const ran = rows.map(({ from, ...row }) => ({ ...row, version: versionOf(packages, from) }))
  await writeFile(results, `${JSON.stringify(ran, null, 2)}\n`)
  await writeFile(page, withTable(await readFile(page, 'utf8'), tableOf(ran)))
}

/** @returns {Promise<string[]>} what is wrong with the table in the README */
export async function runtimesTableProblems() {
  /** @type {Result[]} */
  const ran = JSON.parse(await readFile(results, 'utf8'))
  const text = await readFile(page, 'utf8')
  const locked = new Set(Object.values(await lockedPackages()).map(({ version }) => version))
  const old = ran.filter(({ version }) => !locked.has(version)).map(({ runtime, version }) => `${runtime} ${version}`)
  return [
    ...(text === withTable(text, tableOf(ran)) ? [] : ['The README is not what `npm run runtimes` wrote last.']),
    ...[...new Set(old)].map(which => `${which} is not what conformance/runtimes installs: run \`npm run runtimes\`.`),
  ]
}

/** @returns {Promise<Record<string, { version: string }>>} */
async function lockedPackages() {
  const files = await Promise.all(locks.map(async lock => JSON.parse(await readFile(lock, 'utf8')).packages))
  return Object.assign({}, ...files)
}

/**
 * @param {Record<string, { version: string }>} packages
 * @param {string | undefined} name
 */
function versionOf(packages, name) {
  return packages[`node_modules/${name}`]?.version ?? ''
}

const columns = { 2025: 3, 2026: 4, tasks: 5 }

/** @param {readonly Result[]} ran one line for each runtime and way to serve, every era in it */
function tableOf(ran) {
  const lines = new Map()
  for (const { runtime, version, served, era, stories } of ran) {
    const key = [runtime, version, served].join(' | ')
    const line = lines.get(key) ?? [runtime, version, served, '–', '–', '–']
    line[columns[era]] = Object.values(stories).every(Boolean) ? '✓' : '✗'
    lines.set(key, line)
  }
  return [['runtime', 'version', 'served by', '2025, sessions', '2026-07-28, rounds', 'tasks'], ...lines.values()]
}
