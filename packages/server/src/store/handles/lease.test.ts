import { expect, it } from 'vitest'
import { FakeClock } from '../../../test/fake-clock.js'
import { memoryStore } from '../memory-store.js'
import { Lease, type LeaseOptions } from './lease.js'

const lengthMs = 15_000
const hourMs = 60 * 60 * 1000

/** Two processes and a store, each with a clock of its own. */
function createLeases(aheadMs: number, options: Pick<LeaseOptions, 'isFixed'> = {}) {
  const storeClock = new FakeClock()
  const clocks = [new FakeClock(), new FakeClock()] as const
  storeClock.jump(hourMs)
  clocks[0].jump(hourMs + aheadMs)
  clocks[1].jump(hourMs)
  const store = memoryStore({ clock: storeClock })
  const [one, other] = clocks.map(clock => new Lease({ store, key: 'lease', clock, lengthMs, ...options }))
  /** For those that live. */
  const pass = async (ms: number, living: readonly FakeClock[] = clocks) => {
    for (let left = ms; left > 0; left -= 1_000) {
      for (const clock of [storeClock, ...living]) clock.advance(1_000)
      await new Promise(resolve => setImmediate(resolve))
    }
  }
  if (one === undefined || other === undefined) throw new Error('There are two.')
  return { one, other, clocks, pass }
}

const offsets = [0, hourMs, -hourMs]

it.each(offsets)('has one holder for as long as it lives, whose clock is off by %i ms', async offset => {
  const { one, other, pass } = createLeases(offset)
  const held = await one.take()
  for (let i = 0; i < 10; i++) {
    expect(await other.take()).toBeUndefined()
    await pass(lengthMs)
  }
  expect(held?.aborted).toBe(false)
  await one.release()
  expect(held?.aborted).toBe(true)
  expect(await other.take()).toBeDefined()
})

it.each(offsets)(
  'goes to another within its length when its holder died, whose clock was off by %i ms',
  async offset => {
    const { one, other, clocks, pass } = createLeases(offset)
    const held = await one.take()
    expect(await other.take()).toBeUndefined()
    await pass(lengthMs - 1_000, [clocks[1]])
    expect(await other.take()).toBeUndefined()
    await pass(2_000, [clocks[1]])
    expect(await other.take()).toBeDefined()
    // One that was only slow learns that it has lost it.
    await pass(lengthMs)
    expect(held?.aborted).toBe(true)
  },
)

it('goes to one of several who want it at once', async () => {
  const { one, other } = createLeases(0)
  const taken = await Promise.all([one.take(), other.take()])
  expect(taken.filter(signal => signal !== undefined)).toHaveLength(1)
})

it('is over after its length where it is fixed, however long its holder takes', async () => {
  const { one, other, pass } = createLeases(0, { isFixed: true })
  await one.take()
  expect(await other.take()).toBeUndefined()
  await pass(lengthMs)
  expect(await other.take()).toBeDefined()
  // What is another's by now stays so.
  await one.release()
  expect(await one.take()).toBeUndefined()
})
