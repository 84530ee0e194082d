// npm run bench -- gateway [--quick]
// Confirms a second through the gateway, one and 100 at once, on both wires, and beside them the same confirm in a tool of
// a server itself: what an application behind a gateway costs.

import { pushCaller, roundsCaller } from './load/callers.mjs'
import { isQuick } from './load/options.mjs'
import { startDirect, startGateway } from './load/start.mjs'

/** @typedef {import('./load/callers.mjs').Caller} Caller */
/** @typedef {import('../wires/load/server-process.mjs').ServerProcess} ServerProcess */

const repetitions = isQuick ? 1 : 5
const sampleMs = isQuick ? 200 : 1_000

const servers = { gateway: await startGateway(), direct: await startDirect() }

console.log('confirms         a second, median                server CPU each')
for (const [wire, open] of /** @type {const} */ ([
  ['rounds', roundsCaller],
  ['push', pushCaller],
])) {
  for (const atOnce of [1, 100]) {
    /** @type {Record<string, { perSecond: number, cpuUs: number }[]>} */
    const samples = { gateway: [], direct: [] }
    for (let time = 0; time <= repetitions; time++) {
      for (const [name, server] of Object.entries(servers)) {
        const sample = await measure(server, open, atOnce)
        if (time > 0) samples[name]?.push(sample) // the first warms up
      }
    }
    const figures = Object.entries(samples).map(([name, list]) => ({
      name,
      perSecond: median(list.map(({ perSecond }) => perSecond)),
      cpuUs: median(list.map(({ cpuUs }) => cpuUs)),
    }))
    const [gateway, direct] = figures
    const ratio = (gateway?.perSecond ?? 0) / (direct?.perSecond ?? 1)
    const text = figures.map(({ name, perSecond }) => `${name} ${perSecond.toFixed(0).padStart(5)}`).join('  ')
    const cpu = figures.map(({ cpuUs }) => `${cpuUs.toFixed(0).padStart(4)} µs`).join(' ')
    console.log(`${wire.padEnd(7)} ${String(atOnce).padStart(3)} at once  ${text}  × ${ratio.toFixed(2)}  ${cpu}`)
  }
}
for (const server of Object.values(servers)) server.stop()

/**
 * @param {ServerProcess} server
 * @param {(url: string) => Promise<Caller>} open
 * @param {number} atOnce
 */
async function measure(server, open, atOnce) {
  const callers = await Promise.all(Array.from({ length: atOnce }, () => open(server.url)))
  const before = await server.cpuUs()
  const began = performance.now()
  let calls = 0
  await Promise.all(
    callers.map(async caller => {
      do {
        await caller.call()
        calls++
      } while (performance.now() - began < sampleMs)
    }),
  )
  const seconds = (performance.now() - began) / 1_000
  const cpuUs = (await server.cpuUs()) - before
  for (const caller of callers) caller.close()
  return { perSecond: calls / seconds, cpuUs: cpuUs / calls }
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
