// One target in a process of its own: `node --expose-gc fuzz/run-target.mjs <target> <inputs> <seed>`. The last line is the report.
import { runTarget } from './driver.mjs'
import { targets } from './targets.mjs'

const [name = '', inputs, seed] = process.argv.slice(2)
const target = Object.entries(targets).find(([known]) => known === name)?.[1]
if (target === undefined) throw new Error(`There is no target "${name}".`)
const report = await runTarget(name, target, { inputs: Number(inputs), seed: Number(seed) })
console.log(JSON.stringify(report))
process.exit(0)
