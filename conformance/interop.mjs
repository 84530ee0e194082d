// Published clients and servers, installed in `peers` by a lock of their own, against ours; hosts that show
// views; and agents of published frameworks.
import { sum } from '../scripts/tally.mjs'
import { runAgents } from './agent-stories.mjs'
import { runClients } from './client-stories.mjs'
import { runEverything } from './everything-stories.mjs'
import { runMcpdo } from './mcpdo-stories.mjs'
import { writeTable } from './peers-table.mjs'

/**
 * The short form takes seconds: every client over HTTP. The whole one tries everything, and writes the table of peers in the
 * documentation when nothing failed.
 * @param {{ isShort: boolean }} options
 * @returns {Promise<import('../scripts/tally.mjs').Tally>} of stories
 */
export async function runInterop({ isShort }) {
  const rows = [
    ...(await runClients({ isShort })),
    ...(await runMcpdo({ isShort })),
    ...(isShort ? [] : await runEverything()),
  ]
  const count = (/** @type {'passed' | 'failed'} */ kind) => rows.reduce((sum, row) => sum + row[kind], 0)
  const tally = { passed: count('passed'), failed: count('failed'), skipped: 0 }
  if (!isShort && tally.failed === 0) await writeTable(rows)
  // It needs what is installed and built, which whoever reads this file need not have.
  const { runViews } = await import('./view-stories.mjs')
  return sum([tally, await runViews(), await runAgents({ isShort })])
}
