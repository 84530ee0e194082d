// Threat: guessing. A flow is easy to begin again, so attempts are counted for the caller and not for the flow, and before
// a guess is looked at, so that many at once do not count as one.
import type { OpenFlow } from '../../flows/index.js'

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
  const key = `attempts/${name}/${sessionId}`
  return {
    async take() {
      for (;;) {
        const entry = await store.get(key)
        // What is under this key, we wrote.
        const { count, until } = (entry?.value as unknown as Counted | undefined) ?? {
          count: 0,
          until: now() + windowMs,
        }
        const next = { count: count + 1, until }
        if (await store.compareAndSet(key, entry?.version, next, { expiresAt: until })) return most - next.count
      }
    },
    async clear() {
      await store.delete(key)
    },
  }
}
