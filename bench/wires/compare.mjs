// npm run bench -- wires [--only beckon,tmcp] [--wire rounds] [--reps 7] [--ms 1000] [--dry]
// One form ask per tool call over HTTP, one call at a time and 100 at once. The servers take turns within each
// repetition. Read the ratios: what the machine does otherwise moves all figures alike. `--dry` writes no results.

import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { installPeers } from '../peers/peer.js'
import { measure } from './load/measure.mjs'
import { startServer } from './load/server-process.mjs'
import { plot } from './report/plot.mjs'
import { summarize } from './report/summarize.mjs'
import { caution, standing, table } from './report/table.mjs'
import { contenders } from './servers/contenders.mjs'

/** @typedef {import('./report/summarize.mjs').Run} Run */
/** @typedef {import('./load/server-process.mjs').ServerProcess} ServerProcess */

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    wire: { type: 'string' },
    reps: { type: 'string', default: '7' },
    ms: { type: 'string', default: '1000' },
    dry: { type: 'boolean', default: false },
  },
})
/** On a machine that is shared, a second may be too short for code to get as fast as it does. */
const warmUpCalls = 8_000
const only = values.only?.split(',')
const ms = Number(values.ms)
const reps = Number(values.reps)
const chosen = contenders.filter(
  ({ server, wire }) => (only?.includes(server) ?? true) && (values.wire ?? wire) === wire,
)

installPeers()
/** @type {(Run & { server: ServerProcess })[]} */
const runs = []
for (const contender of chosen) {
  const server = await startServer(new URL(`servers/${contender.server}.mjs`, import.meta.url))
  runs.push({ contender, server, one: [], many: [] })
}
for (let rep = 0; rep <= reps; rep++) {
  // To and fro, so that nobody always runs after the same neighbour.
  for (const { contender, server, one, many } of rep % 2 ? runs : runs.toReversed()) {
    const alone = await measure({ server, contender, atOnce: 1, ms })
    const together = await measure({ server, contender, atOnce: 100, ms, least: rep === 0 ? warmUpCalls : 0 })
    if (rep === 0) continue
    one.push(alone)
    many.push(together)
  }
  process.stderr.write(rep ? `\r${rep} of ${reps}` : 'warmed up')
}
process.stderr.write('\n')
for (const { server } of runs) server.stop()

const summaries = summarize(runs)
const aims = standing(summaries)
const caption = `Node ${process.version}, ${availableParallelism()} cores, medians of ${reps} interleaved repetitions of ${ms} ms`
const remarks = [...aims.map(({ text }) => `- ${text}`), ...caution(summaries).map(text => `- ${text}`)]
const text = [caption, '', table(summaries), '', ...remarks].join('\n')
console.log(text)
const missed = aims.filter(({ isReached }) => !isReached)
console.log(missed.length === 0 ? '\nAll aims are reached.' : `\nMissed: ${missed.map(aim => aim.text).join('; ')}.`)
if (missed.length > 0) process.exitCode = 1
if (!values.dry) {
  const results = new URL('../results/', import.meta.url)
  mkdirSync(results, { recursive: true })
  writeFileSync(new URL('wires.md', results), `# One form ask per tool call over HTTP\n\n${text}\n\n![](wires.svg)\n`)
  writeFileSync(new URL('wires.svg', results), plot(summaries, caption))
}
