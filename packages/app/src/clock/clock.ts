/** Time as an app sees it, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs `fn` once after a while; the result takes that back. Never keeps the process alive. */
  after(delayMs: number, fn: () => void): () => void
}

/** Timers overflow above this and would fire at once. */
const longest = 2 ** 31 - 1

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, fn) {
    let timer = arm(delayMs)
    function arm(leftMs: number): ReturnType<typeof setTimeout> {
      const next = leftMs > longest ? () => (timer = arm(leftMs - longest)) : fn
      const armed = setTimeout(next, Math.min(leftMs, longest))
      // In a browser it is a number, and there is no process to keep alive.
      if (typeof armed === 'object') armed.unref()
      return armed
    }
    return () => clearTimeout(timer)
  },
}
