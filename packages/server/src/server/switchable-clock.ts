import type { Clock } from '../runtime/clock.js'

/** A clock that can be exchanged for another one. A timer stays with the clock that it was set on. */
export interface SwitchableClock extends Clock {
  /** Goes by this clock, until the result is called. */
  use(clock: Clock): () => void
}

export function switchableClock(own: Clock): SwitchableClock {
  const others: { clock: Clock }[] = []
  let current = own
  const choose = () => {
    current = others.at(-1)?.clock ?? own
  }
  return {
    now: () => current.now(),
    after: (delayMs, fn) => current.after(delayMs, fn),
    use(clock) {
      const other = { clock }
      others.push(other)
      choose()
      return () => {
        const index = others.indexOf(other)
        if (index !== -1) others.splice(index, 1)
        choose()
      }
    },
  }
}
