// What an open ask that nobody watches takes of the heap: in a node that only shares the store, in the node that waits for
// it, and in a server with a whole call that waits for it.
import { setTimeout as pause } from 'node:timers/promises'
import { Caller } from '../load/caller.mjs'
import { startNode } from '../load/nodes.mjs'

/** @typedef {import('../../wires/load/server-process.mjs').ServerProcess} ServerProcess */

const first = 50
const atOnce = 50
const manyTimes = 8
/** By then a node has heard of what another did. */
const hintsMs = 500
const execArgv = ['--expose-gc']
/** What counts as nothing: a garbage collector is no scale. */
const maxBytes = 50

/** @param {import('../load/context.mjs').Context} context */
export async function heap({ places, aims, heldAsks: count }) {
  const place = places.filter(({ isShared }) => isShared).at(-1)
  if (place === undefined) return
  console.log(`\nHeap of an open ask that nobody watches, of ${count}, ${place.name}`)

  const url = await place.fresh()
  const other = await startNode('desk', { url, isCounted: true }, execArgv)
  const asking = await startNode('desk', { url, isCounted: true }, execArgv)
  const leave = async (/** @type {number} */ more) => {
    await asking.tell(['leave', { count: more, person: 'p0' }])
    await pause(hintsMs)
    await other.tell('quiet')
  }
  const [waiting = Number.NaN] = await grown([asking], count, leave)
  // Next to nothing, so it takes many to see it: code that is compiled meanwhile is a hundred kilobytes.
  const [elsewhere = Number.NaN] = await grown([other], manyTimes * count, leave)
  const serving = await startNode('desk', { url: await place.fresh(), wait: 1, isCounted: true }, execArgv)
  const suspended = await grown([serving], count, more => call(serving, more))
  for (const node of [other, asking, serving]) node.stop()

  const [inServer = Number.NaN] = suspended
  for (const [what, each] of /** @type {const} */ ([
    ['in a node that has nothing to do with it', elsewhere],
    ['in the node whose code waits for it', waiting],
    ['in a server, with the call that waits for it', inServer],
  ]))
    console.log(`  ${what.padEnd(46)} ${each.toFixed(0).padStart(6)} B`)
  aims.add('heap of an ask on a desk that nobody watches', elsewhere, { atMost: maxBytes }, ' B')
  aims.add('heap of a call that waits on the desk, in a server', inServer, { atMost: 5_000 }, ' B')
}

/**
 * By how much the heaps of nodes grow for each, besides what the first ones take.
 * @param {ServerProcess[]} nodes
 * @param {number} count
 * @param {(more: number) => Promise<void>} make
 */
async function grown(nodes, count, make) {
  const heaps = async () => Promise.all(nodes.map(async node => (await node.tell('heap')).bytes))
  await make(first)
  const before = await heaps()
  await make(count)
  const after = await heaps()
  return after.map((bytes, index) => (bytes - before[index]) / count)
}

/**
 * Calls a tool that asks, and leaves it there.
 * @param {ServerProcess} node
 * @param {number} count
 */
async function call(node, count) {
  let left = count
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const caller = new Caller(node.url)
      while (left-- > 0) await caller.call(`p${left % 100}`)
      caller.close()
    }),
  )
  await node.tell('quiet')
}
