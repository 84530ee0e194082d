// `npm run conformance`: the official MCP suite against a server written with `beckon` alone; a warning is a failure.
// `npm run conformance -- --only <scenario>` runs one scenario, `--keep` leaves the suite's own results in a folder.

import { parseArgs } from 'node:util'
import { runSuite } from '../conformance/suite.mjs'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { describe } from './tally.mjs'

const { values } = parseArgs({ options: { only: { type: 'string' }, keep: { type: 'boolean', default: false } } })

process.exitCode = 1
if ((await ensureInstalled()) && (await ensureBuilt())) {
  const tally = await runSuite(values)
  console.log(`${describe(tally)} (scenarios)`)
  if (tally.failed === 0) process.exitCode = 0
}
