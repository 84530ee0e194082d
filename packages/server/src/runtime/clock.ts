import type { Clock } from '@beckon/core'

export type { Clock }

/** Timers overflow above this and would fire at once. */
const longest = 2 ** 31 - 1

export const systemClock: Clock = {
  // Looks `Date` up each time, so that a test runner's fake one counts.
  now: () => Date.now(),
  after(delayMs, fn) {
    if (delayMs > longest) return afterLong(delayMs, fn)
    const timer = inBackground(setTimeout(fn, delayMs))
    return () => clearTimeout(timer)
  },
}

type Timer = ReturnType<typeof setTimeout>

/** Lets the process end. Not every runtime has timers that can be let go of. */
function inBackground(timer: Timer): Timer {
  timer.unref?.()
  return timer
}

function afterLong(delayMs: number, fn: () => void): () => void {
  let timer = arm(delayMs)
  function arm(left: number): Timer {
    const next = left > longest ? () => (timer = arm(left - longest)) : fn
    return inBackground(setTimeout(next, Math.min(left, longest)))
  }
  return () => clearTimeout(timer)
}
