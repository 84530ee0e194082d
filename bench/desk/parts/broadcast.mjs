// A draft to 1,000 watchers, against a bare `ws` broadcast of the same bytes: time until the last one has it, and CPU of
// the server, in turn.
import { median } from '../../median.mjs'
import { startNode } from '../load/nodes.mjs'
import { session, Watcher } from '../load/watcher.mjs'

const watchers = 1_000
const warmUp = 10

/** @param {import('../load/context.mjs').Context} context */
export async function broadcast({ aims, pace }) {
  const drafts = pace.repetitions * 12
  const [desk, bare] = await Promise.all([startNode('desk', { url: '' }), startNode('broadcast', {})])
  const questions = [{ id: 'q', kind: 'text', message: 'Say something' }]
  await desk.tell(['put', { session, request: { id: 'r0', message: 'Bench', questions } }])
  const onDesk = await connect(desk.url)
  for (const [index, watcher] of onDesk.entries()) await watcher.subscribe(index)
  const onBare = await connect(bare.url)

  /** @type {{ desk: number[], bare: number[] }} */
  const times = { desk: [], bare: [] }
  let from = { desk: 0, bare: 0 }
  for (let index = 0; index < drafts + warmUp; index++) {
    if (index === warmUp) from = { desk: await desk.cpuUs(), bare: await bare.cpuUs() }
    times.desk.push(await toAll(onDesk, () => onDesk[0]?.draft(index, `draft number ${index}`)))
    const frame = 'x'.repeat(onDesk[0]?.bytes ?? 0)
    times.bare.push(await toAll(onBare, () => onBare[0]?.socket.send(frame)))
  }
  const cpuMs = { desk: (await desk.cpuUs()) - from.desk, bare: (await bare.cpuUs()) - from.bare }
  for (const { socket } of [...onDesk, ...onBare]) socket.terminate()
  for (const server of [desk, bare]) server.stop()

  const middle = { desk: median(times.desk.slice(warmUp)), bare: median(times.bare.slice(warmUp)) }
  console.log(`\nA draft to ${watchers} watchers, ${onDesk[0]?.bytes} bytes, ${drafts} times in turn`)
  for (const name of /** @type {const} */ (['desk', 'bare']))
    console.log(`  ${name}  ${middle[name].toFixed(1)} ms   CPU ${(cpuMs[name] / 1000 / drafts).toFixed(1)} ms`)
  aims.add('a draft to 1,000 watchers, to a bare ws', middle.desk / middle.bare, { atMost: 1.1 }, ' ×')
}

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
