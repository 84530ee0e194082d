// The clock of a Redis server cannot be moved, but what expires can be moved towards it, which comes to the same. A
// millisecond of the test's clock is a quarter of an hour here: real time, which goes on meanwhile, then does not count.
import type { Expiry, Store } from 'beckon/store'
import type { TestClock } from 'beckon/store/adapter'
import type { Redis } from 'ioredis'

const scale = 1_000_000
/** What is further away than this is not moved: it is there to be a large number. */
const farMs = 1e10

export interface TimeLapse {
  readonly clock: TestClock
  /** The same store, by the test's clock. */
  wrap(store: Store): Store
}

/** Moves what has this prefix, on all these servers. */
export function timeLapse(servers: () => readonly Redis[], prefix: string): TimeLapse {
  let now = Date.now()

  function toReal<T extends Expiry>(options?: T): T | undefined {
    const { expiresAt } = options ?? {}
    if (!options || expiresAt === undefined || !(Math.abs(expiresAt - now) < farMs)) return options
    return { ...options, expiresAt: Date.now() + (expiresAt - now) * scale }
  }

  async function bringCloser(server: Redis, ms: number): Promise<void> {
    for (const key of await server.keys(`${prefix}:*`)) {
      const pxat = await server.pexpiretime(key)
      if (pxat > 0) await server.pexpireat(key, pxat - ms)
    }
  }

  return {
    clock: {
      now: () => now,
      async advance(ms) {
        now += ms
        await Promise.all(servers().map(server => bringCloser(server, ms * scale)))
      },
    },

    wrap: store => ({
      ...store,
      set: (key, value, options) => store.set(key, value, toReal(options)),
      compareAndSet: (key, version, value, options) => store.compareAndSet(key, version, value, toReal(options)),
      append: (log, entries, options) => store.append(log, entries, toReal(options)),
      put: (set, member, score, options) => store.put(set, member, score, toReal(options)),
    }),
  }
}
