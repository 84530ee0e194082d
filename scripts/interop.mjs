// `npm run interop`: published clients and servers against ours. They are installed the first time.

import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { describe } from './tally.mjs'

process.exitCode = 1
if ((await ensureInstalled()) && (await ensureBuilt()) && (await ensureInstalled('conformance/peers'))) {
  // Not before its packages are installed.
  const { runInterop } = await import('../conformance/interop.mjs')
  const tally = await runInterop({ isShort: false })
  console.log(describe(tally))
  if (tally.failed === 0) process.exitCode = 0
}
