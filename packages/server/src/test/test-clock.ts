import { afterTurn } from '../runtime/after-turn.js'
import type { Clock } from '../runtime/clock.js'

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  /**
   * Moves time on. Whatever is due on the way has been started when this returns, each at its own time; the promise
   * resolves once everything of this turn has run.
   */
  advance(ms: number): Promise<void>
}

interface Timer {
  readonly at: number
  readonly fn: () => void
}

/**
 * A clock for tests.
 * @example
 * const clock = createTestClock()
 * const client = createTestClient(server, {
 *   clock,
 *   answer: async () => {
 *     await clock.advance(2 * 60 * 60 * 1000) // the person comes back after two hours
 *     return 'accept'
 *   },
 * })
 */
export function createTestClock(startsAt: number = Date.UTC(2026, 0, 1)): TestClock {
  const timers = new Set<Timer>()
  let now = startsAt

  function nextUntil(until: number): Timer | undefined {
    let next: Timer | undefined
    for (const timer of timers) if (timer.at <= until && (next === undefined || timer.at < next.at)) next = timer
    return next
  }

  return {
    now: () => now,
    after(delayMs, fn) {
      const timer = { at: now + Math.max(0, delayMs), fn }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance(ms) {
      const until = now + ms
      for (let timer = nextUntil(until); timer !== undefined; timer = nextUntil(until)) {
        timers.delete(timer)
        now = timer.at
        timer.fn()
      }
      now = until
      return new Promise(afterTurn)
    },
  }
}
