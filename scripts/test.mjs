// `npm test`: installs and builds what is missing, then runs the tests, the coverage gate, the official MCP suite,
// published clients, runtimes, the examples, a few of the fault runs: of calls, and of desks, which take up to half a minute on each
// store; and a short form of the fuzzing.
// `npm test -- <file filter or vitest option>` runs vitest alone, on the sources, for what matches.
// What the tests need beyond npm is found, or installed where that can be done, or else said to be missing at the end.
// The last line is the tally. Whatever keeps tests from running counts as one failed.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSuite } from '../conformance/suite.mjs'
import { ensureBuilt } from './build.mjs'
import { passesCoverageGate } from './coverage-gate.mjs'
import { ensureInstalled } from './install.mjs'
import { capture, root, show } from './run.mjs'
import { describeMissing, ensureServices, missingServices, provideServices, services } from './services/services.mjs'
import { describe, none, sum } from './tally.mjs'

/** @typedef {import('./tally.mjs').Tally} Tally */

const args = process.argv.slice(2)
const tally = await (args.length > 0 ? selected(args) : everything()).catch(error => failedOnce(error.stack))
if (tally.passed + tally.failed === 0) {
  console.error('No test ran.')
  tally.failed = 1
}
for (const service of missingServices()) console.log(describeMissing(service))
console.log(describe(tally))
process.exitCode = tally.failed > 0 ? 1 : 0

async function everything() {
  if (!(await ensureInstalled())) return failedOnce('The packages could not be installed.')
  if (!(await ensureBuilt())) return failedOnce('The build failed.')
  await ensureServices()
  // Servers are started by whoever needs them; programs are found by the examples, too.
  await provideServices(services.filter(({ start }) => start === undefined))
  const hasPeers = await ensureInstalled('conformance/peers')
  // Not before their packages are installed.
  const { canTryRuntimes } = await import('../conformance/runtimes/runtimes.mjs')
  const hasWorkerd = canTryRuntimes && (await ensureInstalled('conformance/runtimes/workerd'))
  // Code runs at half its speed while coverage is measured, so only the tests of the model, which has to be covered, do.
  const model = await vitest(['packages/core/', '--coverage', '--typecheck=false'])
  // vitest reports no coverage when a test failed.
  const gate = model.failed > 0 || (await passesCoverageGate()) ? none : failedOnce('The coverage gate failed.')
  return sum([
    model,
    gate,
    // The others wait more than they work.
    ...(await Promise.all([
      vitest(['--exclude=packages/core/**/*.test.ts', '--typecheck=false']),
      // vitest by itself would begin with the types when all else has ended.
      vitest(['--typecheck.only'])
        .then(async tally => sum([tally, await faults(), await withPeers({ hasPeers, hasWorkerd })]))
        .catch(error => failedOnce(error.stack)),
    ])),
  ])
}

/**
 * @param {{ hasPeers: boolean, hasWorkerd: boolean }} has
 * @returns {Promise<Tally>}
 */
async function withPeers({ hasPeers, hasWorkerd }) {
  return sum([
    await runSuite(),
    await interop(hasPeers),
    await runtimes(hasWorkerd),
    ...(await examples()),
    await fuzz(),
  ])
}

/** @param {string[]} args */
async function selected(args) {
  if (!(await ensureInstalled())) return failedOnce('The packages could not be installed.')
  await ensureServices()
  return vitest(args)
}

/**
 * @param {string[]} args
 * @returns {Promise<Tally>}
 */
async function vitest(args) {
  const folder = await mkdtemp(join(tmpdir(), 'beckon-test-'))
  try {
    const file = join(folder, 'tally.json')
    const reporters = ['--reporter=default', '--reporter=./scripts/tally-reporter.mjs']
    const code = await show('vitest', ['run', ...reporters, ...args], { BECKON_TALLY: file })
    const tally = await readFile(file, 'utf8').then(JSON.parse, () => none)
    return code !== 0 && tally.failed === 0 ? sum([tally, failedOnce(`vitest ended with code ${code}.`)]) : tally
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * The clients are large and not part of the project: where they cannot be had, they are skipped.
 * @param {boolean} hasPeers
 * @returns {Promise<Tally>}
 */
async function interop(hasPeers) {
  if (hasPeers) return (await import('../conformance/interop.mjs')).runInterop({ isShort: true })
  console.log('- interop: skipped, since the published clients could not be installed')
  return { ...none, skipped: 1 }
}

/**
 * The Node that runs this, and workerd, where that can be had.
 * @param {boolean} hasWorkerd
 * @returns {Promise<Tally>}
 */
async function runtimes(hasWorkerd) {
  if (hasWorkerd) return (await import('../conformance/runtimes/runtimes.mjs')).runRuntimes({ isShort: true })
  console.log('- runtimes: skipped, since workerd could not be installed; it is, on Linux and x64')
  return { ...none, skipped: 1 }
}

/**
 * They use what was built, so that they cannot be loaded before.
 * @returns {Promise<Tally>}
 */
async function faults() {
  const { runFaultSuite } = await import('../faults/suite.mjs')
  const { runDeskFaultSuite } = await import('../faults/desk/suite.mjs')
  const calls = await runFaultSuite({ calls: 60, kills: 5, seeds: [40] })
  return sum([calls, await runDeskFaultSuite({ asks: 20, kills: 2, seeds: [40] })])
}

/**
 * A few inputs for each target, with the same seed every time; `npm run fuzz` has more.
 * @returns {Promise<Tally>}
 */
async function fuzz() {
  const { runFuzzSuite } = await import('../fuzz/suite.mjs')
  return (await runFuzzSuite({ inputs: 25_000, seed: 40, atOnce: 2 })).tally
}

/** Runs every example that has a `test` script; each is one test. */
async function examples() {
  /** @type {Tally[]} */
  const tallies = []
  for (const name of await readdir(join(root, 'examples'))) {
    const manifest = JSON.parse(await readFile(join(root, 'examples', name, 'package.json'), 'utf8'))
    if (!manifest.scripts?.test) continue
    const { code, output } = await capture('npm', ['test', '--silent', '--workspace', `examples/${name}`])
    if (code !== 0) console.error(output)
    console.log(`${code === 0 ? '✓' : '✗'} examples/${name}`)
    tallies.push(code === 0 ? { ...none, passed: 1 } : { ...none, failed: 1 })
  }
  return tallies
}

/**
 * @param {string} reason
 * @returns {Tally}
 */
function failedOnce(reason) {
  console.error(reason)
  return { ...none, failed: 1 }
}
