// Runs the official MCP suite against the server in src/, in strict mode: a warning counts as a failure, and the
// scenarios that the suite itself runs without scoring count too. Each run has a server of its own, all at once.
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from './start-server.mjs'

/** @typedef {{ title: string, args: string[], scenarios: number }} Run */
/** @typedef {{ id: string, status: string, description?: string, errorMessage?: string }} Check */
/** @typedef {{ scenario: string, checks: Check[] }} Scenario */
/** @typedef {import('../scripts/tally.mjs').Tally} Tally */

/**
 * How many scenarios each has is known, for a run that stops half-way not to pass. The last is every scenario there is for
 * servers. None of them is about authorization: `auth/*` are for clients, and two more for authorization servers.
 * @type {Run[]}
 */
const runs = [
  { title: 'requirements 2026-07-28', args: ['--requirements', '2026-07-28'], scenarios: 50 },
  { title: 'requirements 2025-11-25', args: ['--requirements', '2025-11-25'], scenarios: 33 },
  { title: 'suite all', args: ['--suite', 'all'], scenarios: 65 },
]

/** Far more than it takes; the suite has limits of its own for a request and for a scenario. */
const suiteWithinMs = 5 * 60_000

const preload = new URL('./preload.mjs', import.meta.url).href
const server = fileURLToPath(new URL('./dist/server.js', import.meta.url))

/**
 * @param {{ only?: string | undefined, keep?: boolean }} [options] one scenario alone; leave the results in their folder
 * @returns {Promise<Tally>} of scenarios
 */
export async function runSuite({ only, keep = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'beckon-conformance-'))
  try {
    // An empty list of expected failures is what makes the suite count warnings.
    await writeFile(join(folder, 'nothing-may-fail.yml'), 'server: []\n')
    const wanted = only === undefined ? runs : [{ title: only, args: ['--scenario', only], scenarios: 1 }]
    const reports = await Promise.all(wanted.map(run => takeRun(run, folder).catch(error => couldNotRun(run, error))))
    for (const { lines } of reports) console.log(lines.join('\n'))
    const failed = reports.reduce((sum, report) => sum + report.failed, 0)
    return { passed: reports.reduce((sum, report) => sum + report.passed, 0), failed, skipped: 0 }
  } finally {
    if (keep) console.log(`The results are in ${folder}`)
    else await rm(folder, { recursive: true, force: true })
  }
}

/**
 * @param {Run} run
 * @param {string} folder
 */
async function takeRun({ title, args, scenarios: expected }, folder) {
  const results = join(folder, title.replaceAll(/\W+/g, '-'))
  const started = await startServer([server])
  const suite = await startSuite([
    ...['server', '--url', started.url, ...args],
    ...['--expected-failures', join(folder, 'nothing-may-fail.yml'), '-o', results],
  ]).finally(() => started.stop())

  const scenarios = await readResults(results)
  const bad = scenarios.filter(({ checks }) => checks.some(isBad))
  const lines = [summary(title, scenarios), ...bad.flatMap(explain)]
  const isWhole = scenarios.length === expected && (suite.code === 0 || bad.length > 0)
  if (!isWhole) {
    lines.push(`  The suite ran ${scenarios.length} of ${expected} scenarios and ended with ${suite.code}:`)
    lines.push(suite.output.slice(-4_000))
  }
  if (bad.length > 0 || !isWhole) lines.push(`  The server said:\n${started.said().slice(-4_000)}`)
  return { lines, passed: scenarios.length - bad.length, failed: bad.length + (isWhole ? 0 : 1) }
}

/**
 * @param {Run} run
 * @param {unknown} error
 */
function couldNotRun({ title }, error) {
  return { lines: [`✗ conformance, ${title}: it could not run`, String(error)], passed: 0, failed: 1 }
}

/**
 * @param {string[]} args
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function startSuite(args) {
  const entry = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')
  const child = spawn(process.execPath, ['--import', preload, entry, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: suiteWithinMs,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, output }))
  })
}

/**
 * Each scenario leaves a folder `server-<scenario>-<time>` with its checks.
 * @param {string} folder
 * @returns {Promise<Scenario[]>}
 */
async function readResults(folder) {
  const names = await readdir(folder).catch(() => [])
  const scenarios = names.sort().map(async name => ({
    scenario: name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
    checks: JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')),
  }))
  return Promise.all(scenarios)
}

/** @param {Check} check */
function isBad({ status }) {
  return status === 'FAILURE' || status === 'WARNING'
}

/**
 * @param {string} title
 * @param {Scenario[]} scenarios
 */
function summary(title, scenarios) {
  const checks = scenarios.flatMap(scenario => scenario.checks)
  const count = (/** @type {string} */ wanted) => checks.filter(({ status }) => status === wanted).length
  const isGood = !checks.some(isBad)
  return (
    `${isGood ? '✓' : '✗'} conformance, ${title}: ${scenarios.length} scenarios, ${count('SUCCESS')} checks passed, ` +
    `${count('FAILURE')} failed, ${count('WARNING')} warnings, ${count('SKIPPED')} not applicable`
  )
}

/** @param {Scenario} scenario */
function explain({ scenario, checks }) {
  return [
    `  ✗ ${scenario}`,
    ...checks
      .filter(isBad)
      .map(check => `      ${check.status} ${check.id}: ${check.errorMessage ?? check.description}`),
  ]
}
