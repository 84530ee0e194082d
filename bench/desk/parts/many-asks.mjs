// A desk with many open asks against one with few: how long it takes to start, to show someone the first page of their
// inbox, and to take one action; once with all of them for one person, once with ten for each of many. In turn.
import { inTime } from '../../in-time.mjs'
import { median } from '../../median.mjs'
import { startNode } from '../load/nodes.mjs'
import { Person } from '../load/person.mjs'

/** @typedef {import('../load/context.mjs').Context} Context */
/** @typedef {import('../load/places.mjs').Place} Place */
/** @typedef {import('../../wires/load/server-process.mjs').ServerProcess} ServerProcess */
/** In milliseconds. @typedef {{ start: number, page: number, action: number }} Times */

const asksOfOne = 10
const actions = 5
const warmUps = 3
const maxMs = 120_000
const maxRatio = 1.25
const words = { start: 'start', page: 'first page', action: 'an action' }

const audiences = [
  { key: 'one', whom: 'for one person', peopleFor: () => 1 },
  {
    key: 'many',
    whom: `${asksOfOne} for each person`,
    peopleFor: (/** @type {number} */ count) => Math.ceil(count / asksOfOne),
  },
]

/** @param {Context} context */
export async function manyAsks({ places, aims, asks: many, whom: wanted, pace, fill }) {
  const few = Math.min(1_000, Math.max(50, many / 20))
  console.log(`\nA desk with ${many} open asks against one with ${few}`)
  for (const place of places.filter(({ isShared }) => isShared))
    for (const { whom, peopleFor } of audiences.filter(({ key }) => wanted.includes(key))) {
      const began = performance.now()
      const desks = []
      for (const count of [few, many]) desks.push(await filled(place, count, peopleFor(count), fill))
      const filledMs = performance.now() - began
      const times = await inTurn(desks, pace)
      for (const { node } of desks) node.stop()
      const what = `${place.name}, ${whom}`
      const ratios = compare(times)
      print(what, times, ratios, filledMs)
      for (const key of keys)
        aims.add(`${words[key]} with ${many} open asks, ${what}`, ratios[key], { atMost: maxRatio }, ' ×')
    }
}

const keys = /** @type {(keyof Times)[]} */ (Object.keys(words))

/**
 * @param {Place} place
 * @param {number} count
 * @param {number} people
 * @param {import('../load/fill.mjs').Fill} fill
 */
async function filled(place, count, people, fill) {
  const url = await place.fresh()
  await fill(url, count, { people })
  return { node: await startNode('starting', { url }), people }
}

/**
 * @param {{ node: ServerProcess, people: number }[]} desks
 * @param {import('../load/in-turn.mjs').Pace} pace
 */
async function inTurn(desks, { repetitions, maxMs }) {
  /** @type {Times[][]} */
  const times = desks.map(() => [])
  // The first ones pay for the first use of everything.
  for (let time = 0; time < warmUps; time++) for (const { node } of desks) await look(node, 'p0', 1)
  const began = performance.now()
  for (let time = 1; time < repetitions * 2; time++) {
    if (time > 2 && performance.now() - began > maxMs) break
    for (const [index, { node, people }] of desks.entries())
      times[index]?.push(await look(node, `p${time % people}`, actions))
  }
  return times
}

/**
 * Starts the desk anew, opens someone's inbox, and answers a few of what is there.
 * @param {ServerProcess} node
 * @param {string} name
 * @param {number} answers
 * @returns {Promise<Times>}
 */
async function look(node, name, answers) {
  const { url, ms: start } = await node.tell(['start', {}])
  const person = await Person.open(url, name)
  let began = performance.now()
  const asks = await inTime(person.page(), maxMs)
  const page = performance.now() - began
  const times = []
  for (const ask of asks.slice(0, answers)) {
    began = performance.now()
    const ended = person.ending(ask)
    person.answer(ask)
    await inTime(ended, maxMs)
    times.push(performance.now() - began)
  }
  person.close()
  if (times.length === 0) throw new Error(`Nothing is open for ${name}.`)
  return { start, page, action: median(times) }
}

/**
 * @param {Times[][]} times of few, and of many
 * @returns {Times} ratios
 */
function compare([few = [], many = []]) {
  const ratio = (/** @type {keyof Times} */ key) =>
    median(many.map((times, index) => times[key] / (few[index]?.[key] ?? Number.NaN)))
  return { start: ratio('start'), page: ratio('page'), action: ratio('action') }
}

/**
 * @param {string} what
 * @param {Times[][]} times
 * @param {Times} ratios
 * @param {number} filledMs
 */
function print(what, [few = [], many = []], ratios, filledMs) {
  const columns = keys.map(key => {
    const [small, large] = [few, many].map(each => median(each.map(times => times[key])).toFixed(1))
    return `${words[key]} ${small} and ${large} ms × ${ratios[key].toFixed(2)}`
  })
  console.log(`  ${what.padEnd(34)} ${columns.join('   ')}   (filled in ${(filledMs / 1000).toFixed(1)} s)`)
}
