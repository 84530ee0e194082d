// `npm run faults`: the long form of the fault runs, with several seeds for each store.
// `npm run faults -- postgres 300 12345 12346`: one store, so many calls in each run, these seeds.

import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { ensureServices } from './services/services.mjs'
import { describe } from './tally.mjs'

const runs = 5

const [store, calls = '300', ...seeds] = process.argv.slice(2)
if (!(await ensureInstalled()) || !(await ensureBuilt())) process.exit(1)
await ensureServices()
// It uses what was built.
const { runFaultSuite, stores } = await import('../faults/suite.mjs')
const tally = await runFaultSuite({
  calls: Number(calls),
  kills: Math.ceil(Number(calls) / 12),
  only: stores.filter(each => store === undefined || each === store),
  seeds:
    seeds.length > 0 ? seeds.map(Number) : Array.from({ length: runs }, (_, run) => (Date.now() + run) % 1_000_000),
})
console.log(describe(tally))
process.exitCode = tally.failed > 0 ? 1 : 0
