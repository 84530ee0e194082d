// Expired items leave when they are looked up, or when a sweep meets them. A sweep goes a few steps round the map from
// where the last one stopped, so that it costs the same whatever the size, needs no timer and no order of its own.
// With four steps for each item that may be added, what has expired and is still here stays below half of what is alive.

const stepsPerSweep = 4

/** The time, in milliseconds since 1970. `Date` is one. */
export interface Clock {
  now(): number
}

/** What an `ExpiringMap` holds; one that never expires has `Infinity`. */
export interface Expiring {
  readonly key: string
  expiresAt: number
}

/** A map whose items go away at their time. */
export interface ExpiringMap<T extends Expiring> {
  get(key: string): T | undefined
  put(item: T): void
  delete(key: string): boolean
  /** Forgets some of what has expired, in bounded time. Call it with every write. */
  sweep(): void
  clear(): void
  /** Those in memory, expired ones included. */
  values(): Iterable<T>
  /** How many items are in memory, expired ones included. */
  readonly size: number
}

export function expiringMap<T extends Expiring>(clock: Clock): ExpiringMap<T> {
  const items = new Map<string, T>()
  let hand = items.values()

  const isAlive = (item: T): boolean => item.expiresAt === Number.POSITIVE_INFINITY || item.expiresAt > clock.now()

  return {
    get(key) {
      const item = items.get(key)
      if (item === undefined || isAlive(item)) return item
      items.delete(key)
      return undefined
    },

    put(item) {
      if (isAlive(item)) items.set(item.key, item)
      else items.delete(item.key)
    },

    delete(key) {
      const item = items.get(key)
      return item !== undefined && items.delete(key) && isAlive(item)
    },

    sweep() {
      if (items.size === 0) return
      const now = clock.now()
      for (let step = 0; step < stepsPerSweep; step++) {
        const next = hand.next()
        if (next.done) {
          hand = items.values()
          return
        }
        if (next.value.expiresAt <= now) items.delete(next.value.key)
      }
    },

    clear() {
      items.clear()
      hand = items.values()
    },

    values: () => items.values(),

    get size() {
      return items.size
    },
  }
}
