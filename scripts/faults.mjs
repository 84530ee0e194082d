// `npm run faults`: the long form of the fault runs, with several seeds for each store.
// `npm run faults -- postgres 300 12345 12346`: one store, so many calls in each run, these seeds.
// `npm run faults -- sentinel 100`: the same on several servers, whose primary is ended or stands still again and again; or `cluster`.
// `npm run faults -- desk postgres 100 12345`: the same with desks and so many asks; without a store, on each.

import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { ensureServices } from './services/services.mjs'
import { describe } from './tally.mjs'

const runs = 5

const given = process.argv.slice(2)
const isDesk = given[0] === 'desk'
const [store, count = isDesk ? '100' : '300', ...chosen] = isDesk ? given.slice(1) : given
const seeds =
  chosen.length > 0 ? chosen.map(Number) : Array.from({ length: runs }, (_, run) => (Date.now() + run) % 1_000_000)
if (!(await ensureInstalled()) || !(await ensureBuilt())) process.exit(1)
await ensureServices()
// They use what was built.
const { failovers, runFaultSuite, stores } = await import('../faults/suite.mjs')
const { runDeskFaultSuite } = await import('../faults/desk/suite.mjs')
const options = {
  kills: Math.ceil(Number(count) / 12),
  only: [...stores, ...(isDesk ? [] : failovers)].filter(each => store === undefined || each === store),
  seeds,
}
const tally = isDesk
  ? await runDeskFaultSuite({ asks: Number(count), ...options })
  : await runFaultSuite({ calls: Number(count), ...options })
console.log(describe(tally))
process.exitCode = tally.failed > 0 ? 1 : 0
