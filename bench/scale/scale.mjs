// npm run bench -- scale
// What carries so many open asks and so many answers a second: measures what an ask costs on each store, then does the sums.
//   --ms 8000            how long asks are measured on each store
//   --open 100000000     open asks
//   --answers 100000     asks opened and answered in a second
//   --watchers 1000000   people with an inbox open
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { startPlaces } from '../desk/load/places.mjs'
import { storeCosts, watcherBytes } from './costs/measure.mjs'
import { assumed, carry, oneServer } from './model/carry.mjs'

const { values } = parseArgs({
  options: {
    ms: { type: 'string', default: '8000' },
    open: { type: 'string', default: '100000000' },
    answers: { type: 'string', default: '100000' },
    watchers: { type: 'string', default: '1000000' },
  },
})
const wanted = {
  openAsks: Number(values.open),
  answersPerSecond: Number(values.answers),
  watchers: Number(values.watchers),
}
const stores = /** @type {const} */ (['sqlite', 'postgres', 'redis'])

const { places, end } = await startPlaces()
const { inbox, session } = await watcherBytes(places.postgres)
console.log(
  `Someone with an inbox open takes ${kilo(inbox)} of a node's heap, and ${kilo(session)} with a session open in it.`,
)
console.log('\nMeasured, for an ask from its opening to its outcome, 100 at once on one node:')
/** @type {Map<typeof stores[number], Awaited<ReturnType<typeof storeCosts>>>} */
const costs = new Map()
for (const store of stores) {
  const cost = await storeCosts(places[store], Number(values.ms))
  costs.set(store, cost)
  const { perSecond, nodeCpuMs, storeCpuMs, bytes } = cost
  console.log(
    `  ${places[store].name.padEnd(9)} ${perSecond.toFixed(0)} a second; CPU ${nodeCpuMs.toFixed(2)} ms of the node, ${storeCpuMs.toFixed(2)} ms of the database; ${kilo(bytes)} in the store while it is open`,
  )
}
await end()
const load = loadavg()[0]?.toFixed(1)
console.log(`  (${load} processes wanted the ${availableParallelism()} cores at the end)`)

console.log(`\nAssumed: ${JSON.stringify(assumed)}`)
console.log('\nOne database')
for (const [store, cost] of costs) {
  const one = oneServer(store, cost)
  console.log(
    `  ${places[store].name.padEnd(9)} ${one.asksPerSecond.toFixed(0)} asks a second, ${one.openAsks.toExponential(1)} open`,
  )
}
console.log(
  `\n${wanted.openAsks} open asks, ${wanted.answersPerSecond} answers a second, ${wanted.watchers} people who look`,
)
for (const [store, cost] of costs) {
  const { servers, nodes, bytes, first, nodesFor } = carry(store, { ...cost, watcherBytes: inbox }, wanted)
  console.log(
    `  ${places[store].name.padEnd(9)} ${servers} databases (${first}), ${nodes} nodes (${nodesFor}), ${(bytes / 1e12).toFixed(2)} TB`,
  )
}

/** @param {number} bytes */
function kilo(bytes) {
  return `${(bytes / 1000).toFixed(1)} KB`
}
