// npm run bench -- desk
// What an action costs with few and with many open asks on the desk: time until it is back, in turn. It must not depend on
// how many there are, whether each has a session, as servers have it, or all are in one.
import { startServer } from './load/server-process.mjs'
import { Watcher } from './load/watcher.mjs'

const actions = 300
const warmUp = 50
const mostRatio = 1.25

/**
 * @param {number[]} counts
 * @param {'each' | 'one'} sessions
 */
async function compare(counts, sessions) {
  const desks = await Promise.all(
    counts.map(async count => {
      const server = await startServer('desk', [`${count}`, sessions])
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
  for (const [index, { count }] of desks.entries())
    console.log(`${count} open asks: ${(medians[index] ?? 0).toFixed(3)} ms an action`)
  return (medians[1] ?? 0) / (medians[0] ?? 1)
}

let isGood = true
for (const [words, sessions] of /** @type {const} */ ([
  ['a session for each ask', 'each'],
  ['all asks in one session', 'one'],
])) {
  console.log(words)
  const ratio = await compare([100, 100_000], sessions)
  console.log(`ratio ${ratio.toFixed(2)} (aim: at most ${mostRatio})`)
  isGood &&= ratio <= mostRatio
}
process.exit(isGood ? 0 : 1)
