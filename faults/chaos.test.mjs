import { expect, it } from 'vitest'
import { causeFaults, planFaults } from './chaos.mjs'
import { createRandom } from './random.mjs'

it('plans as many kills as were asked for, and the same ones again for the same seed', () => {
  const plan = (/** @type {number} */ seed, hasNetwork = true) =>
    planFaults(createRandom(seed), { kills: 12, hasNetwork })
  expect(plan(43).filter(fault => fault === 'kill')).toHaveLength(12)
  expect(new Set(plan(43))).toEqual(new Set(['kill', 'restart', 'cut', 'stall']))
  expect(plan(43)).toEqual(plan(43))
  expect(plan(43)).not.toEqual(plan(44))
  expect(plan(43, false)).toEqual(Array(12).fill('kill'))
})

it('causes each when its share of the calls is done, and no more once the run is over', async () => {
  /** @type {string[]} */
  const happened = []
  const random = createRandom(1)
  const node = { url: '', end() {}, kill: async () => void happened.push('killed') }
  await causeFaults({
    faults: ['kill', 'restart', 'kill'],
    random,
    nodes: [node],
    proxies: [],
    restart: async () => void happened.push('restarted'),
    progress: async share => happened.push(`at ${share}`) < 7,
    onFault: fault => happened.push(fault),
  })
  expect(happened).toEqual(['at 0.25', 'kill', 'killed', 'at 0.5', 'restart', 'restarted', 'at 0.75'])
})
