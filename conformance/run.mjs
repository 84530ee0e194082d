// Runs the official MCP suite against our conformance server, in strict mode: a warning counts as a failure, also in
// scenarios that the suite itself runs without scoring.
//
//   node conformance/run.mjs <server entry> [--only <scenario>] [--keep]
//
// The server is started with PORT set, has to answer at /mcp, and is stopped at the end.
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const READY_WITHIN_MS = 20_000
const PRELOAD = fileURLToPath(new URL('./preload.mjs', import.meta.url))
const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')
const RUNS = [
  { title: 'requirements 2026-07-28', args: ['--requirements', '2026-07-28'] },
  { title: 'requirements 2025-11-25', args: ['--requirements', '2025-11-25'] },
  { title: 'suite all', args: ['--suite', 'all'] },
]

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, keep: { type: 'boolean', default: false } },
})
const [entry] = positionals
if (entry === undefined) {
  console.error('usage: node conformance/run.mjs <server entry> [--only <scenario>] [--keep]')
  process.exit(2)
}

const workDir = await mkdtemp(join(tmpdir(), 'beckon-conformance-'))
const port = await freePort()
const server = spawn(process.execPath, [entry], {
  env: { ...process.env, PORT: String(port) },
  stdio: ['ignore', 'pipe', 'pipe'],
})
const serverLog = []
for (const stream of [server.stdout, server.stderr]) stream.on('data', chunk => serverLog.push(chunk))
process.once('exit', () => server.kill('SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

let problems = 0
try {
  const url = `http://127.0.0.1:${port}/mcp`
  await ready(url)
  const runs = options.only === undefined ? RUNS : [{ title: options.only, args: ['--scenario', options.only] }]
  for (const run of runs) problems += await runSuite(run, url)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  problems += 1
}
if (problems > 0 && serverLog.length > 0)
  console.error(`\nThe server said:\n${Buffer.concat(serverLog).toString().slice(-8_000)}`)
await stop()
if (options.keep) console.log(`\nResults are in ${workDir}`)
else await rm(workDir, { recursive: true, force: true })
console.log(problems === 0 ? '\nConformance: nothing failed, no warning.' : `\nConformance: ${problems} problem(s).`)
process.exit(problems === 0 ? 0 : 1)

/** Runs the suite once and prints each scenario; resolves to the number of problems. */
async function runSuite({ title, args }, url) {
  const results = join(workDir, title.replaceAll(/\W+/g, '-'))
  const baseline = join(workDir, 'nothing-may-fail.yml')
  await writeFile(baseline, 'server: []\n')
  const suite = spawn(
    process.execPath,
    ['--import', PRELOAD, SUITE, 'server', '--url', url, ...args, '--expected-failures', baseline, '-o', results],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const output = []
  for (const stream of [suite.stdout, suite.stderr]) stream.on('data', chunk => output.push(chunk))
  const exitCode = await new Promise((resolve, reject) => suite.once('error', reject).once('close', resolve))

  console.log(`\n${title}`)
  const scenarios = await readResults(results)
  const sum = { SUCCESS: 0, FAILURE: 0, WARNING: 0, SKIPPED: 0 }
  for (const { scenario, checks } of scenarios) {
    const bad = checks.filter(check => check.status === 'FAILURE' || check.status === 'WARNING')
    for (const check of checks) if (check.status in sum) sum[check.status] += 1
    const passed = checks.filter(check => check.status === 'SUCCESS').length
    const skipped = checks.filter(check => check.status === 'SKIPPED').length
    console.log(
      `  ${bad.length === 0 ? 'ok  ' : 'FAIL'} ${scenario}: ${passed} passed${skipped > 0 ? `, ${skipped} not applicable` : ''}`,
    )
    for (const check of bad)
      console.log(`         ${check.status} ${check.id}: ${check.errorMessage ?? check.description}`)
  }
  console.log(
    `  ${scenarios.length} scenarios: ${sum.SUCCESS} passed, ${sum.FAILURE} failed, ${sum.WARNING} warnings, ${sum.SKIPPED} not applicable`,
  )

  let problems = sum.FAILURE + sum.WARNING
  if (sum.SUCCESS === 0 || (exitCode !== 0 && problems === 0)) {
    problems += 1
    console.log(`  FAIL the suite ended with ${exitCode}:\n${Buffer.concat(output).toString().slice(-4_000)}`)
  }
  return problems
}

/** Each scenario leaves a folder `server-<scenario>-<time>` with its checks. */
async function readResults(folder) {
  const names = await readdir(folder).catch(() => [])
  const scenarios = names.map(async name => ({
    scenario: name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
    checks: JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')),
  }))
  return Promise.all(scenarios)
}

async function ready(url) {
  const deadline = Date.now() + READY_WITHIN_MS
  for (;;) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode} before it was ready.`)
    const answered = await fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
      response => response.body?.cancel().then(() => true) ?? true,
      () => false,
    )
    if (answered) return
    if (Date.now() > deadline) throw new Error(`Nothing answered at ${url} within ${READY_WITHIN_MS} ms.`)
    await sleep(50)
  }
}

async function stop() {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise(resolve => server.once('exit', resolve))
  server.kill('SIGTERM')
  if ((await Promise.race([ended, sleep(3_000, 'late', { ref: false })])) === 'late') server.kill('SIGKILL')
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
