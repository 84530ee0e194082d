import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FakeClock } from '../../../test/fake-clock.js'
import type { JsonValue } from '../json.js'
import { memoryStore } from '../memory-store.js'
import type { Store } from '../store.js'
import { Watch, type WatchOptions } from './watch.js'

const everyMs = 60_000
/** Within this time after the store is back, hints are heard again. */
const soonMs = 8_000

const turn = () => new Promise(resolve => setImmediate(resolve))

/** A counter that somebody else writes, and what a watch has seen of it; the store is away when a test says so. */
function createWatch(options: Partial<WatchOptions> = {}) {
  const clock = new FakeClock()
  const own = memoryStore({ clock })
  const counts = { subscribed: 0, subscriptions: 0, looks: 0 }
  const state = { written: 0, seen: 0, isAway: false }
  const store: Pick<Store, 'subscribe'> = {
    async subscribe(topic, listener) {
      counts.subscribed++
      if (state.isAway) throw new Error('away')
      const unsubscribe = await own.subscribe(topic, listener)
      counts.subscriptions++
      return async () => {
        counts.subscriptions--
        await unsubscribe()
      }
    },
  }
  const look = async () => {
    counts.looks++
    if (state.isAway) throw new Error('away')
    state.seen = state.written
  }
  const watch = new Watch({ store, topic: 'count', clock, everyMs, look, ...options })
  /** In steps, so that what time brings has its turn before the next. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 500) {
      clock.advance(Math.min(500, left))
      await turn()
    }
  }
  const write = async ({ isHeard = true, message = null as JsonValue } = {}) => {
    state.written++
    if (isHeard) await own.publish('count', message)
    await turn()
  }
  return { clock, watch, counts, state, pass, write }
}

it('looks when a hint says so, and else after a while', async () => {
  const { watch, counts, state, pass, write } = createWatch()
  watch.start()
  await watch.heard()
  expect(counts.looks).toBe(0)
  await write()
  expect(state.seen).toBe(1)
  await write({ isHeard: false })
  expect(state.seen).toBe(1)
  await pass(everyMs)
  expect([state.seen, counts.looks]).toEqual([2, 2])
})

it('hands hints to the one that wants them, and says when they are heard', async () => {
  const heard: JsonValue[] = []
  const { watch, counts, write } = createWatch({
    everyMs: undefined,
    onHint: message => heard.push(message),
    onHeard: () => heard.push('heard'),
  })
  watch.start()
  await watch.heard()
  await write({ message: 'a' })
  expect([heard, counts.looks]).toEqual([['heard', 'a'], 0])
})

it('subscribes again soon when that failed, later and later, and looks once it did', async () => {
  const { watch, counts, state, pass, write } = createWatch({ everyMs: undefined })
  state.isAway = true
  watch.start()
  watch.start()
  await expect(watch.heard()).rejects.toThrow('away')
  await pass(1_000 + 2_000 + 4_000 + 8_000 + 8_000)
  expect(counts.subscribed).toBe(6)
  state.isAway = false
  await write()
  expect(state.seen).toBe(0)
  await pass(soonMs)
  await watch.heard()
  expect([state.seen, counts.subscriptions]).toEqual([1, 1])
  await write()
  expect(state.seen).toBe(2)
})

it('looks again soon when that failed', async () => {
  const { watch, counts, state, pass, write } = createWatch({ everyMs: undefined })
  watch.start()
  await watch.heard()
  state.isAway = true
  await write()
  await pass(1_000)
  state.isAway = false
  expect([state.seen, counts.looks]).toEqual([0, 2])
  await pass(2_000)
  expect([state.seen, counts.looks, counts.subscribed]).toEqual([1, 3, 1])
  await pass(everyMs)
  expect(counts.looks).toBe(3)
})

it('leaves nothing behind when it is stopped on the way, and begins anew', async () => {
  const { clock, watch, counts, state, write } = createWatch()
  watch.start()
  await watch.stop()
  await turn()
  expect([clock.pending, counts.subscriptions]).toEqual([0, 0])
  await write()
  expect(counts.looks).toBe(0)
  watch.start()
  await watch.heard()
  await write()
  expect([state.seen, counts.subscriptions]).toEqual([2, 1])
  await watch.stop()
  await watch.stop()
  expect([clock.pending, counts.subscriptions]).toEqual([0, 0])
})

it('has seen everything in time, whatever is lost, and calls nothing once it is stopped', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('write' as const), isHeard: fc.boolean() }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 2 * everyMs }) }),
    fc.record({ kind: fc.constant('away' as const), isAway: fc.boolean() }),
    fc.record({ kind: fc.constant('stop' as const) }),
    fc.record({ kind: fc.constant('start' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async steps => {
      const { clock, watch, counts, state, pass, write } = createWatch()
      let isOn = false
      for (const each of steps) {
        const { looks } = counts
        if (each.kind === 'write') await write(each)
        else if (each.kind === 'pass') await pass(each.ms)
        else if (each.kind === 'away') state.isAway = each.isAway
        else if (each.kind === 'start') watch.start()
        else await watch.stop()
        if (!isOn && each.kind !== 'start') expect(counts.looks).toBe(looks)
        isOn = each.kind === 'start' || (isOn && each.kind !== 'stop')
      }
      watch.start()
      state.isAway = false
      await pass(everyMs)
      expect(state.seen).toBe(state.written)
      await write()
      expect([state.seen, counts.subscriptions]).toEqual([state.written, 1])
      await watch.stop()
      expect([clock.pending, counts.subscriptions]).toEqual([0, 0])
    }),
    { numRuns: 50 },
  )
})
