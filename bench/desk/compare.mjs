// npm run bench -- desk
// What a desk costs, beside the least that the same needs, on every store, on one node and on three; whether it grows; and
// which of DESIGN's aims are reached. Each node is a process of its own, and so is the load.
//   --quick              to see that it runs, on memory and Postgres only, 20 at once instead of 100
//   --only rates,heap    some of it: rates, operations, broadcast, heap, many
//   --places postgres    some of: memory, sqlite, postgres, redis
//   --asks 100000        how many are open on the desk that has many; a million unless given
//   --whom one           whom those are for: one person, or ten for each of `many`; both unless given
//   --profile <folder>   CPU profiles of the desk nodes of `rates`
import { availableParallelism, loadavg } from 'node:os'
import { contextOf, isQuick, isWanted } from './load/context.mjs'
import { startPlaces } from './load/places.mjs'
import { broadcast } from './parts/broadcast.mjs'
import { heap } from './parts/heap.mjs'
import { manyAsks } from './parts/many-asks.mjs'
import { operations } from './parts/operations.mjs'
import { rates } from './parts/rates.mjs'

const parts = { rates, operations, broadcast, heap, many: manyAsks }
const began = performance.now()
const { places, end } = await startPlaces()
const context = contextOf(places)
for (const [name, part] of Object.entries(parts)) if (isWanted(name)) await part(context)
await end()
context.aims.print()
const seconds = ((performance.now() - began) / 1000).toFixed(0)
const load = loadavg()[0]?.toFixed(1)
console.log(`\n${seconds} s${isQuick ? ', too quick for the figures to mean much' : ''}`)
// Others may be at work on this machine: then CPU says more than anything by the clock.
console.log(`At the end ${load} processes wanted the ${availableParallelism()} cores, those of this run included.`)
process.exit(context.aims.areReached || isQuick ? 0 : 1)
