import { describe, expect, it } from 'vitest'
import type { Clock } from './clock.js'
import { Stopwatch } from './stopwatch.js'

/** A clock with room for one timer. */
function manualClock() {
  let now = 0
  let due: { at: number; fn: () => void } | undefined
  const clock: Clock = {
    now: () => now,
    after(delayMs, fn) {
      const timer = { at: now + delayMs, fn }
      due = timer
      return () => {
        if (due === timer) due = undefined
      }
    },
  }
  const advance = (ms: number) => {
    now += ms
    if (due === undefined || due.at > now) return
    const { fn } = due
    due = undefined
    fn()
  }
  return { clock, advance }
}

describe('a stopwatch', () => {
  it('counts only while it runs', () => {
    const { clock, advance } = manualClock()
    let times = 0
    const watch = new Stopwatch(clock, 100, () => times++)
    advance(1_000)
    watch.run()
    advance(60)
    watch.stop()
    advance(1_000)
    watch.run()
    advance(39)
    expect(times).toBe(0)
    advance(1)
    expect(times).toBe(1)
  })

  it('takes starting and stopping again for nothing', () => {
    const { clock, advance } = manualClock()
    let times = 0
    const watch = new Stopwatch(clock, 100, () => times++)
    watch.stop()
    watch.run()
    advance(50)
    watch.run()
    advance(49)
    watch.stop()
    watch.stop()
    advance(1_000)
    expect(times).toBe(0)
    watch.run()
    advance(1)
    expect(times).toBe(1)
  })
})
