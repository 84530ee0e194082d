// `npm run faults`: the long form of the fault runs. `npm run faults -- postgres 300 12345`: one store, so many calls, a seed.

import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { ensureServices } from './services/services.mjs'
import { describe } from './tally.mjs'

const [store, calls = '300', seed] = process.argv.slice(2)
if (!(await ensureInstalled()) || !(await ensureBuilt())) process.exit(1)
await ensureServices()
// It uses what was built.
const { runFaultSuite, stores } = await import('../faults/suite.mjs')
const only = stores.filter(each => store === undefined || each === store)
const tally = await runFaultSuite({
  calls: Number(calls),
  kills: Math.ceil(Number(calls) / 8),
  only,
  ...(seed !== undefined && { seed: Number(seed) }),
})
console.log(describe(tally))
process.exitCode = tally.failed > 0 ? 1 : 0
