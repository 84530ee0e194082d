// Threat: guessing. A flow is easy to begin again, so attempts are counted for the caller and not for the flow, and before
// a guess is looked at, so that many at once do not count as one.
import type { OpenFlow } from '../../flows/index.js'
import { Cell } from '../../store/handles/index.js'

export interface Attempts {
  /** How many are left, once this one is counted; below zero it must not be looked at. */
  take(): Promise<number>
  /** Somebody knew: what was counted is forgotten. */
  clear(): Promise<void>
}

/** From the first guess on; then they count from zero again. */
const windowMs = 15 * 60 * 1000

interface Counted {
  readonly count: number
  readonly until: number
}

export function attemptsOf({ store, sessionId, now }: OpenFlow, name: string, most: number): Attempts {
  const cell = new Cell<Counted>(store, `attempts/${name}/${sessionId}`)
  return {
    take: () =>
      cell.update((known = { count: 0, until: now() + windowMs }) => {
        const { until } = known
        const count = known.count + 1
        return { value: { count, until }, expiresAt: until, result: most - count }
      }),
    async clear() {
      await cell.delete()
    },
  }
}
