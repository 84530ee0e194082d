import type { Clock } from '@beckon/core'

export type { Clock }

/** Timers overflow above this and would fire at once. */
const longest = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, fn) {
    if (delayMs > longest) return afterLong(delayMs, fn)
    const timer = setTimeout(fn, delayMs).unref()
    return () => clearTimeout(timer)
  },
}

function afterLong(delayMs: number, fn: () => void): () => void {
  let timer = arm(delayMs)
  function arm(left: number): NodeJS.Timeout {
    const next = left > longest ? () => (timer = arm(left - longest)) : fn
    return setTimeout(next, Math.min(left, longest)).unref()
  }
  return () => clearTimeout(timer)
}
