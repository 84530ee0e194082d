// Threat: strangers who have a server remember something with every request, until its memory is full. What is kept for
// callers without a principal goes away by itself, and in a store of this process, which nothing else bounds, only so many of
// them are remembered: the oldest are forgotten first. Of those with a principal, who can be told apart, nobody is.
// Not defended: how much an author writes for one caller.

import { digest } from '../crypto/digest.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import type { Clock } from '../runtime/clock.js'
import type { Store } from '../store/index.js'
import type { ValueStore } from './session.js'

/** How a caller without a principal is known: by a connection, or within one call alone. */
type Kind = 'connection' | 'call'

/** How long a value is kept for a caller without a principal. */
const keepMs = 30 * 24 * 60 * 60 * 1000

/** The id of the scope of someone without a principal: it says so itself, wherever it is opened. */
export function anonymousId(kind: Kind, id: string): string {
  return `${kind}-${digest([kind, id])}`
}

/** What is kept for callers without a principal. Those of a connection and those of one call do not push each other out. */
export class AnonymousValues {
  readonly #store: Store
  readonly #clock: Pick<Clock, 'now'>
  #hasWarned = false
  readonly #keys: Readonly<Record<Kind, BoundedMap<string, Set<string>>>>

  /** @param max How many of each kind are remembered, in a store that is not shared. */
  constructor(store: Store, clock: Pick<Clock, 'now'>, max: number) {
    this.#store = store
    this.#clock = clock
    const bounded = () => new BoundedMap<string, Set<string>>({ max, onEvict: keys => this.#forget(keys) })
    this.#keys = { connection: bounded(), call: bounded() }
  }

  /** The store as the scope with this id writes to it. */
  storeFor(id: string): ValueStore {
    const kind = kindOf(id)
    if (kind === undefined) return this.#store
    const store = this.#store
    const wrote = (key: string) => {
      if (kind === 'call') this.#warn()
      if (!store.shared) this.#remember(this.#keys[kind], id, key)
      return { expiresAt: this.#clock.now() + keepMs }
    }
    return {
      get: key => store.get(key),
      delete: key => store.delete(key),
      set: (key, value) => store.set(key, value, wrote(key)),
      compareAndSet: (key, version, value) => store.compareAndSet(key, version, value, wrote(key)),
    }
  }

  /** Once: an author who reads the value in a later call finds nothing there, and nothing says why. */
  #warn(): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    console.warn(
      'beckon: a value was written to the session of an anonymous caller, who is not known from one request to the next, as on ' +
        '2026-07-28 over HTTP. It is there for this call alone. Give createServer `identify`, so that later calls find it.',
    )
  }

  #remember(all: BoundedMap<string, Set<string>>, id: string, key: string): void {
    all.set(id, (all.get(id) ?? new Set()).add(key))
  }

  #forget(keys: ReadonlySet<string>): void {
    for (const key of keys) this.#store.delete(key).catch(() => {})
  }
}

/** Undefined for the scope of a principal. */
function kindOf(id: string): Kind | undefined {
  const [, kind] = /^(?:user:)?(connection|call)-[\w-]{43}$/.exec(id) ?? []
  return kind === 'connection' || kind === 'call' ? kind : undefined
}
