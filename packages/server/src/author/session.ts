import type { JsonValue, Store } from '../store/index.js'

/** Values that outlive a call, by name. */
export interface Values {
  get<T = JsonValue>(key: string): Promise<T | undefined>
  /** Takes effect in the order of the calls, awaited or not. */
  set(key: string, value: unknown): Promise<void>
  delete(key: string): Promise<boolean>
}

/** The caller's own scope. */
export interface Session extends Values {
  /** Opaque; `server.session(id)` opens it anywhere. */
  readonly id: string
}

/** Writes that were started and not awaited, so that whoever depends on them can wait. */
export class PendingWrites {
  readonly #writes = new Set<Promise<unknown>>()

  track<T>(write: Promise<T>): Promise<T> {
    this.#writes.add(write)
    const done = () => this.#writes.delete(write)
    write.then(done, done)
    return write
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#writes)
  }
}

/** A part of the store under a prefix of its own. */
export function openValues(store: Store, prefix: string, writes: PendingWrites): Values {
  return {
    // Whoever reads a key says what it wrote there.
    get: async key => (await store.get(`${prefix}/${key}`))?.value as never,
    // The store refuses what JSON cannot carry.
    set: (key, value) => writes.track(store.set(`${prefix}/${key}`, value as JsonValue)),
    delete: key => writes.track(store.delete(`${prefix}/${key}`)),
  }
}
