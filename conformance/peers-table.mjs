// The table of peers in the documentation, which a whole run of the interop tests writes; what it is made of is kept beside it, so
// that a table that nobody's run wrote is noticed.
import { readFile, writeFile } from 'node:fs/promises'
import { tablePlace } from './table.mjs'

/** What a peer made of an ask: it worked, the peer has no way to show it and was told so, it failed, or there is none. */
/** @typedef {'yes' | 'cannot' | 'no' | 'untried'} Worked */
/** @typedef {{ peer: string, from: string, era: '2025' | '2026', over: string, confirm: Worked, form: Worked, url: Worked, passed: number, failed: number }} Row */
/** @typedef {Omit<Row, 'from' | 'passed' | 'failed'> & { version: string }} Result */

const results = new URL('./peers.json', import.meta.url)
const page = new URL('../docs/peers.md', import.meta.url)
const lock = new URL('./peers/package-lock.json', import.meta.url)
const { withTable } = tablePlace('npm run interop', 'docs/peers.md')
const marks = { yes: '✓', cannot: 'cannot', no: '✗', untried: '–' }

/**
 * Writes down how a whole run went.
 * @param {readonly Row[]} rows
 */
export async function writeTable(rows) {
  const versions = await installedVersions()
  const ran = rows.map(({ from, passed: _, failed: __, ...row }) => ({ ...row, version: versions(from) }))
  await writeFile(results, `${JSON.stringify(ran, null, 2)}\n`)
  await writeFile(page, withTable(await readFile(page, 'utf8'), tableOf(ran)))
}

/** @returns {Promise<string[]>} what is wrong with the table in the documentation */
export async function tableProblems() {
  /** @type {Result[]} */
  const ran = JSON.parse(await readFile(results, 'utf8'))
  const text = await readFile(page, 'utf8')
  const { packages } = JSON.parse(await readFile(lock, 'utf8'))
  const locked = new Set(Object.values(packages).map(({ version }) => version))
  const old = ran.filter(({ version }) => !locked.has(version)).map(({ peer, version }) => `${peer} ${version}`)
  return [
    ...(text === withTable(text, tableOf(ran)) ? [] : ['docs/peers.md is not what `npm run interop` wrote last.']),
    ...old.map(which => `${which} is not what conformance/peers installs: run \`npm run interop\`.`),
  ]
}

async function installedVersions() {
  const { packages } = JSON.parse(await readFile(lock, 'utf8'))
  return (/** @type {string} */ name) => String(packages[`node_modules/${name}`].version)
}

/** @param {readonly Result[]} ran */
function tableOf(ran) {
  const lines = ran.map(({ peer, version, era, over, ...kinds }) => [
    peer,
    version,
    era,
    over,
    marks[kinds.confirm],
    marks[kinds.form],
    marks[kinds.url],
  ])
  return [['peer', 'version', 'era', 'over', 'confirm', 'form', 'URL'], ...lines]
}
