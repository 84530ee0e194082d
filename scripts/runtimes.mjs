// `npm run runtimes`: one server and its asks on every runtime. They are installed the first time; all of them are for Linux on x64.

import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { describe } from './tally.mjs'

const folders = ['conformance/runtimes', 'conformance/runtimes/workerd']

process.exitCode = 1
if (await ensureInstalled()) {
  // Not before its packages are installed.
  const { canTryRuntimes, runRuntimes } = await import('../conformance/runtimes/runtimes.mjs')
  if (!canTryRuntimes) console.error('The runtimes are installed as binaries for Linux on x64, which this is not.')
  else if ((await installed()) && (await ensureBuilt())) {
    const tally = await runRuntimes({ isShort: false })
    console.log(describe(tally))
    if (tally.failed === 0) process.exitCode = 0
  }
}

async function installed() {
  for (const folder of folders) if (!(await ensureInstalled(folder))) return false
  return true
}
