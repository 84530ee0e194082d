import type { Clock } from '@beckon/core'

/** Timers overflow above this and would fire at once. */
const maxTimerMs = 2 ** 31 - 1

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, fn) {
    let timer = arm(delayMs)
    function arm(leftMs: number): ReturnType<typeof setTimeout> {
      const next = leftMs > maxTimerMs ? () => (timer = arm(leftMs - maxTimerMs)) : fn
      const armed = setTimeout(next, Math.min(leftMs, maxTimerMs))
      // In a browser it is a number, and there is no process to keep alive.
      if (typeof armed === 'object') armed.unref()
      return armed
    }
    return () => clearTimeout(timer)
  },
}
