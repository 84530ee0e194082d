import { fill } from '../../desk/load/fill.mjs'
import { startNode, startNodes } from '../../desk/load/nodes.mjs'
import { Person } from '../../desk/load/person.mjs'
import { asks } from '../../desk/load/work.mjs'
import { bytesOf } from './bytes.mjs'
import { serverCpuMs } from './server-cpu.mjs'

/** @typedef {import('../../desk/load/places.mjs').Place} Place */
/** What an ask costs on a store. @typedef {import('../model/carry.mjs').StoreCosts} StoreCosts */

const atOnce = 100
const filled = 10_000
const watchers = 300

/**
 * Asks that are opened, answered over a socket, and come back as an outcome, a hundred at once, on one node.
 * @param {Place} place
 * @param {number} ms for how long
 * @returns {Promise<StoreCosts & { perSecond: number }>}
 */
export async function storeCosts(place, ms) {
  const nodes = await startNodes('desk', { url: await place.fresh() })
  const work = asks(nodes)
  await work.begin(atOnce)
  const before = serverCpuMs(place.pid())
  await work.mark()
  await new Promise(resolve => setTimeout(resolve, ms))
  const { times, seconds, cpuMs } = await work.take()
  const storeMs = serverCpuMs(place.pid()) - before
  await work.stop()
  nodes.close()
  return {
    perSecond: times.length / seconds,
    nodeCpuMs: cpuMs / times.length,
    storeCpuMs: storeMs / times.length,
    bytes: await bytesOfAsk(place),
  }
}

/** @param {Place} place */
async function bytesOfAsk(place) {
  const url = await place.fresh()
  await fill(url, 10, { people: 1 })
  const before = await bytesOf(url)
  const other = await place.fresh()
  await fill(other, filled, { people: filled / 10 })
  const after = await bytesOf(other)
  return (after - before) / filled
}

/**
 * What someone costs a node who has their inbox open, and then one session with it.
 * @param {Place} place
 */
export async function watcherBytes(place) {
  const url = await place.fresh()
  await fill(url, watchers * 10, { people: watchers })
  const node = await startNode('desk', { url }, ['--expose-gc'])
  const heap = async () => (await node.tell('heap')).bytes
  // The first ones pay for what is there once.
  for (let index = 0; index < 20; index++) await (await Person.open(node.url, `x${index}`)).page()
  const before = await heap()
  const people = []
  for (let index = 0; index < watchers; index++) {
    const person = await Person.open(node.url, `p${index}`)
    await person.page()
    people.push(person)
  }
  const inboxes = await heap()
  for (const [index, person] of people.entries()) await person.follow(`f${index}`)
  const followed = await heap()
  node.stop()
  return { inbox: (inboxes - before) / watchers, session: (followed - inboxes) / watchers }
}
