// npm run bench -- desk
// A draft to 1,000 watchers, against a bare `ws` broadcast of the same bytes: time until the last one has it, and CPU of
// the server, in turn.
import { startServer } from './load/server-process.mjs'
import { Watcher } from './load/watcher.mjs'

const watchers = 1_000
const drafts = 60
const warmUp = 10
const mostRatio = 1.3

const [desk, bare] = await Promise.all([startServer('desk'), startServer('bare')])
const onDesk = await connect(desk.url)
for (const [index, watcher] of onDesk.entries()) await watcher.subscribe(index)
const onBare = await connect(bare.url)

/** @type {{ desk: number[], bare: number[] }} */
const times = { desk: [], bare: [] }
let cpu = { desk: 0, bare: 0 }
for (let index = 0; index < drafts + warmUp; index++) {
  if (index === warmUp) cpu = { desk: await desk.cpuMs(), bare: await bare.cpuMs() }
  times.desk.push(await toAll(onDesk, () => onDesk[0]?.draft(index, `draft number ${index}`)))
  const frame = 'x'.repeat(onDesk[0]?.bytes ?? 0)
  times.bare.push(await toAll(onBare, () => onBare[0]?.socket.send(frame)))
}
const used = { desk: (await desk.cpuMs()) - cpu.desk, bare: (await bare.cpuMs()) - cpu.bare }
desk.stop()
bare.stop()

const median = (/** @type {number[]} */ figures) => figures.slice(warmUp).sort((a, b) => a - b)[drafts >> 1] ?? 0
const ratio = median(times.desk) / median(times.bare)
console.log(`A draft to ${watchers} watchers, ${onDesk[0]?.bytes} bytes, ${drafts} times in turn`)
console.log(`  desk  ${median(times.desk).toFixed(1)} ms   ${(used.desk / drafts).toFixed(1)} ms of CPU`)
console.log(`  bare  ${median(times.bare).toFixed(1)} ms   ${(used.bare / drafts).toFixed(1)} ms of CPU`)
console.log(`  ratio ${ratio.toFixed(2)} (aim: at most ${mostRatio}), CPU ${(used.desk / used.bare).toFixed(2)}`)
process.exit(ratio <= mostRatio ? 0 : 1)

/** @param {string} url */
async function connect(url) {
  const connected = []
  for (let index = 0; index < watchers; index += 50) {
    connected.push(...(await Promise.all(Array.from({ length: 50 }, () => Watcher.open(url)))))
  }
  return connected
}

/**
 * @param {Watcher[]} all
 * @param {() => void} send
 */
async function toAll(all, send) {
  const everyone = Promise.all(all.map(watcher => watcher.next()))
  const began = performance.now()
  send()
  await everyone
  return performance.now() - began
}
