// `npm run fuzz`: a million inputs over all targets, and the table of docs/fuzzing.md.
// `npm run fuzz -- http 10000 12345`: one target, so many inputs, that seed; the table stays as it is.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tablePlace } from '../conformance/table.mjs'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './run.mjs'
import { describe } from './tally.mjs'

const [target, inputs = '1000000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2)
if (!(await ensureInstalled()) || !(await ensureBuilt())) process.exit(1)
// It uses what was built.
const { names, runFuzzSuite } = await import('../fuzz/suite.mjs')
const only = target === undefined || target === 'all' ? names : [target]
const { tally, reports } = await runFuzzSuite({ inputs: Number(inputs), seed: Number(seed), only, atOnce: 2 })
if (only === names) await writeTable()
console.log(describe(tally))
process.exitCode = tally.failed > 0 ? 1 : 0

async function writeTable() {
  const page = join(root, 'docs/fuzzing.md')
  const head = [
    'target',
    'inputs',
    'seed',
    'honest uses',
    'minutes',
    'heap, MiB: after a tenth, at the end',
    'findings',
  ]
  const rows = reports.map(report => [
    report.target,
    report.inputs.toLocaleString('en'),
    String(report.seed),
    report.honest.toLocaleString('en'),
    (report.seconds / 60).toFixed(1),
    `${report.heapBefore}, ${report.heapAfter}`,
    String(report.findings.length),
  ])
  const total = (/** @type {(report: typeof reports[number]) => number} */ of) =>
    reports.reduce((all, report) => all + of(report), 0)
  const all = [
    'all',
    total(({ inputs }) => inputs).toLocaleString('en'),
    '',
    total(({ honest }) => honest).toLocaleString('en'),
  ]
  const last = [
    ...all,
    (total(({ seconds }) => seconds) / 60).toFixed(1),
    '',
    String(total(({ findings }) => findings.length)),
  ]
  const text = tablePlace('npm run fuzz', 'docs/fuzzing.md').withTable(await readFile(page, 'utf8'), [
    head,
    ...rows,
    last,
  ])
  await writeFile(page, text)
}
