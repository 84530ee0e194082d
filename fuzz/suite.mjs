// The targets, each in a process of its own, as tests.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { none, sum } from '../scripts/tally.mjs'
import { targets } from './targets.mjs'

/** @typedef {import('../scripts/tally.mjs').Tally} Tally */
/** @typedef {import('./driver.mjs').FuzzReport} FuzzReport */

export const names = Object.keys(targets)

/**
 * @param {object} options
 * @param {number} options.inputs in all
 * @param {number} options.seed
 * @param {readonly string[]} [options.only]
 * @param {number} [options.atOnce] targets that run beside each other
 * @returns {Promise<{ tally: Tally, reports: FuzzReport[] }>}
 */
export async function runFuzzSuite({ inputs, seed, only = names, atOnce = 1 }) {
  const waiting = [...only]
  /** @type {FuzzReport[]} */
  const reports = []
  const shares = only.reduce((total, name) => total + shareOf(name), 0)
  async function runNext() {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const report = await runApart(name, Math.ceil((inputs * shareOf(name)) / shares), seed)
      console.log(`${report.findings.length === 0 ? '✓' : '✗'} fuzz, ${describe(report)}`)
      for (const finding of report.findings) console.error(`  ${finding}`)
      reports.push(report)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runNext))
  const tallies = reports.map(({ findings }) =>
    findings.length === 0 ? { ...none, passed: 1 } : { ...none, failed: 1 },
  )
  return { tally: sum(tallies), reports: names.flatMap(name => reports.find(({ target }) => target === name) ?? []) }
}

/** @param {FuzzReport} report */
function describe({ target, seed, inputs, honest, seconds, heapBefore, heapAfter, findings }) {
  const memory = `heap ${heapBefore} MiB, then ${heapAfter}`
  return `${target}: ${inputs} inputs with seed ${seed} in ${seconds.toFixed(1)} s, ${honest} honest uses beside them, ${memory}, ${findings.length} findings`
}

/** @param {string} name */
function shareOf(name) {
  const target = targets[name]
  if (target === undefined) throw new Error(`There is no target "${name}". There are ${names.join(', ')}.`)
  return target.share
}

/**
 * A process that dies is a finding, too.
 * @param {string} name
 * @param {number} inputs
 * @param {number} seed
 * @returns {Promise<FuzzReport>}
 */
function runApart(name, inputs, seed) {
  const program = fileURLToPath(new URL('run-target.mjs', import.meta.url))
  const child = spawn(process.execPath, ['--expose-gc', program, name, String(inputs), String(seed)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [printed, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', text => {
    printed += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    errors = (errors + text).slice(-4_000)
  })
  return new Promise(resolve => {
    child.on('close', code => {
      const last = printed.trimEnd().split('\n').at(-1) ?? ''
      if (code === 0 && last.startsWith('{')) return resolve(JSON.parse(last))
      const findings = [`the process ended with ${code}: ${errors}`]
      resolve({ target: name, seed, inputs: 0, honest: 0, seconds: 0, heapBefore: 0, heapAfter: 0, findings })
    })
  })
}
