// Agents of published frameworks with their approvals on a desk: the examples, each with what it needs installed in its own folder.
import { ensureInstalled } from '../scripts/install.mjs'
import { capture } from '../scripts/run.mjs'
import { none, sum } from '../scripts/tally.mjs'

/** @typedef {import('../scripts/tally.mjs').Tally} Tally */

/**
 * @param {{ isShort: boolean }} options the short form leaves out the one whose program is large, and what only compiles
 * @returns {Promise<Tally>}
 */
export async function runAgents({ isShort }) {
  const folders = ['examples/agents', ...(isShort ? [] : ['examples/agents/claude'])]
  const tallies = []
  for (const folder of folders) tallies.push(await runAgent(folder, { isShort }))
  return sum(tallies)
}

/**
 * @param {string} folder
 * @param {{ isShort: boolean }} options
 * @returns {Promise<Tally>}
 */
async function runAgent(folder, { isShort }) {
  if (!(await ensureInstalled(folder))) {
    console.log(`- ${folder}: skipped, since its frameworks could not be installed`)
    return { ...none, skipped: 1 }
  }
  const ran = await capture('npm', ['start', '--silent', '--prefix', folder])
  const types = isShort || ran.code !== 0 ? ran : await capture('tsc', ['-p', folder])
  const hasPassed = ran.code === 0 && types.code === 0
  console.log(`${hasPassed ? '✓' : '✗'} ${folder}`)
  if (!hasPassed) console.error(`${ran.output}\n${types.output}`)
  return hasPassed ? { ...none, passed: 1 } : { ...none, failed: 1 }
}
