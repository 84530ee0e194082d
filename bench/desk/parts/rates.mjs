// Asks that are opened, answered over a socket, and come back as an outcome; and whole calls of a tool whose client cannot
// ask. One node, three nodes on the same store, where each ask is answered over another node than it was opened on, and
// beside them the bare writes behind a bare `ws`.
import { inTurn } from '../load/in-turn.mjs'
import { startNodes } from '../load/nodes.mjs'
import { asks, calls } from '../load/work.mjs'
import { middleOf, printRates, ratioOf } from '../report/rates.mjs'

/** @typedef {import('../report/rates.mjs').Measured} Measured */
/** @typedef {import('../report/aims.mjs').Aims} Aims */

const bare = 'bare'
const one = 'one node'
const three = 'three nodes'
const works = { asks, calls }

/** @param {import('../load/context.mjs').Context} context */
export async function rates({ places, pace, atOnce: most, aims, profile }) {
  console.log('Asks opened, answered over a socket, outcome; and whole calls over HTTP.')
  console.log(
    '× is to bare. CPU is that of all desk nodes, or of the bare one, for each; not of the database, nor of the load.',
  )
  for (const place of places) {
    const nodes = new Map([
      [bare, await startNodes('bare', { url: await place.fresh() })],
      [one, await startNodes('desk', { url: await place.fresh(), profile })],
    ])
    if (place.isShared) nodes.set(three, await startNodes('desk', { url: await place.fresh(), count: 3, profile }))
    for (const [what, work] of Object.entries(works)) {
      const contenders = new Map([...nodes].map(([name, own]) => [name, work(own)]))
      // One at a time comes last: by then everyone's code is as warm as it gets.
      for (const atOnce of [most, 1]) {
        const measured = await inTurn(contenders, { atOnce, warmsUp: atOnce > 1, pace })
        printRates(`${place.name}, ${what}, ${atOnce} at once`, measured)
        judge(aims, `${place.name} ${what}${atOnce === 1 ? ' one' : ''}`, measured)
      }
    }
    for (const own of nodes.values()) own.close()
  }
}

/**
 * @param {Aims} aims
 * @param {string} what
 * @param {Measured} measured
 */
function judge(aims, what, measured) {
  const to = (/** @type {string} */ name, /** @type {string} */ other) => ({
    rate: ratioOf(measured, [name, other], 'perSecond'),
    p50: ratioOf(measured, [name, other], 'p50Ms'),
    cpu: ratioOf(measured, [name, other], 'cpuMs'),
  })
  switch (what) {
    case 'memory asks':
      return aims.add('CPU of an ask, memory', middleOf(measured, one, 'cpuMs'), { atMost: 0.4 }, ' ms')
    case 'Postgres asks':
      aims.add('asks, Postgres, to bare', to(one, bare).rate, { atLeast: 0.8 }, ' ×')
      aims.add('their p50 to that of bare', to(one, bare).p50, { atMost: 2 }, ' ×')
      return judgeThree(aims, 'asks, Postgres, three nodes to one', to(three, one))
    case 'Postgres calls':
      aims.add('calls, Postgres, to bare', to(one, bare).rate, { atLeast: 0.5 }, ' ×')
      return judgeThree(aims, 'calls, Postgres, three nodes to one', to(three, one))
    case 'Postgres calls one':
      return aims.add('calls, Postgres, one at a time, p50 to that of bare', to(one, bare).p50, { atMost: 6 }, ' ×')
  }
}

/**
 * @param {Aims} aims
 * @param {string} what
 * @param {{ rate: number, cpu: number }} ratios
 */
function judgeThree(aims, what, { rate, cpu }) {
  aims.add(what, rate, { atLeast: 0.9 }, ' ×')
  aims.add(`${what}, CPU of all processes`, cpu, { atMost: 1.25 }, ' ×')
}
