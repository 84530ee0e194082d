import { backOff } from './back-off.js'

/** Tries something that has failed not too often. */
export interface Attempts {
  /** What `attempt` gives; after a failure, for a little longer each time, the same failure without another attempt. */
  try<T>(attempt: () => Promise<T>): Promise<T>
}

const maxMs = 1_000

export function createAttempts(now: () => number = () => performance.now()): Attempts {
  let failures = 0
  let last: { error: unknown; until: number } | undefined
  return {
    async try(attempt) {
      if (last && now() < last.until) throw last.error
      try {
        const result = await attempt()
        failures = 0
        last = undefined
        return result
      } catch (error) {
        last = { error, until: now() + Math.min(maxMs, backOff(failures++)) }
        throw error
      }
    },
  }
}
