// `npm run interop`: a published client, `mcpdo` of the MCP Inspector, on a server of ours. It is installed the first time.

import { runInterop } from '../conformance/interop.mjs'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { describe } from './tally.mjs'

process.exitCode = 1
if ((await ensureInstalled()) && (await ensureBuilt()) && (await ensureInstalled('conformance/peers'))) {
  const tally = await runInterop()
  console.log(describe(tally))
  if (tally.failed === 0) process.exitCode = 0
}
