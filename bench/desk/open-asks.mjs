// npm run bench -- desk
// What an action costs with 100 and with 100,000 open asks on the desk: server CPU and time until it is back, in turn.
import { startServer } from './load/server-process.mjs'
import { Watcher } from './load/watcher.mjs'

const counts = [100, 100_000]
const actions = 300
const warmUp = 50
const mostRatio = 1.25

const desks = await Promise.all(
  counts.map(async count => {
    const server = await startServer('desk', [`${count}`])
    const watcher = await Watcher.open(server.url)
    await watcher.subscribe(0)
    return { count, server, watcher, times: /** @type {number[]} */ ([]) }
  }),
)
for (let index = 0; index < actions + warmUp; index++) {
  for (const { watcher, times } of desks) {
    const back = watcher.next()
    const began = performance.now()
    watcher.draft(index, `draft number ${index}`)
    await back
    times.push(performance.now() - began)
    // Below the desk's limit on messages.
    await new Promise(resolve => setTimeout(resolve, 3))
  }
}
for (const { server } of desks) server.stop()
const medians = desks.map(({ times }) => times.slice(warmUp).sort((a, b) => a - b)[actions >> 1] ?? 0)
const ratio = (medians[1] ?? 0) / (medians[0] ?? 1)
for (const [index, { count }] of desks.entries())
  console.log(`${count} open asks: ${(medians[index] ?? 0).toFixed(3)} ms an action`)
console.log(`ratio ${ratio.toFixed(2)} (aim: at most ${mostRatio})`)
process.exit(ratio <= mostRatio ? 0 : 1)
