import { expect, it } from 'vitest'
import { causeFaults, planFaults } from './chaos.mjs'
import { createRandom } from './random.mjs'

it('plans as many kills as were asked for, and the same ones again for the same seed', () => {
  const plan = (/** @type {number} */ seed) =>
    planFaults(createRandom(seed), { kills: 12, hasNetwork: true, failsOver: false })
  expect(plan(43).filter(fault => fault === 'kill')).toHaveLength(12)
  expect(new Set(plan(43))).toEqual(new Set(['kill', 'restart', 'cut', 'stall', 'lose', 'shorten']))
  expect(plan(43)).toEqual(plan(43))
  expect(plan(43)).not.toEqual(plan(44))
})

it('loses acknowledgements of every store, and cuts logs short where no other server takes over', () => {
  const plan = (/** @type {boolean} */ hasNetwork, /** @type {boolean} */ failsOver) =>
    planFaults(createRandom(43), { kills: 12, hasNetwork, failsOver })
  expect(new Set(plan(false, false))).toEqual(new Set(['kill', 'lose', 'shorten']))
  expect(new Set(plan(false, true))).toEqual(new Set(['kill', 'lose']))
  for (const faults of [plan(true, false), plan(false, false), plan(false, true)])
    expect(faults.filter(fault => fault === 'lose')).toHaveLength(24)
})

it('causes each when its share of the calls is done, and no more once the run is over', async () => {
  /** @type {string[]} */
  const happened = []
  const random = createRandom(1)
  const node = {
    url: '',
    end() {},
    kill: async () => void happened.push('killed'),
    lose: () => happened.push('lost'),
  }
  await causeFaults({
    faults: ['kill', 'restart', 'lose', 'shorten', 'kill'],
    random,
    nodes: [node],
    proxies: [],
    restart: async () => void happened.push('restarted'),
    shorten: async () => void happened.push('shortened'),
    progress: async share => happened.push(`at ${Math.round(share * 6)}`) < 13,
    onFault: fault => happened.push(fault),
  })
  expect(happened.join()).toBe('at 1,kill,killed,at 2,restart,restarted,at 3,lose,lost,at 4,shorten,shortened,at 5')
})
