import type { JsonValue } from '../json.js'
import type { Expiry, Store, Version } from '../store.js'
import { tooContended } from '../store-unavailable.js'
import { checkFormat, format } from './format.js'

/** What becomes of a cell: another value, nothing at all, or what it was. */
export interface CellChange<T, Result> extends Expiry {
  readonly value?: T | undefined
  readonly isRemoved?: true
  readonly result: Result
}

/** A value as it is stored, with a format number. */
interface Stored<T> {
  readonly v: typeof format
  readonly d: T
}

/** How often another process may write first before it is an error. */
const maxConflicts = 1_000

/** One value of a type in a store, which several processes change. */
export class Cell<T> {
  readonly #store: Pick<Store, 'get' | 'set' | 'delete' | 'compareAndSet'>
  readonly #key: string

  constructor(store: Pick<Store, 'get' | 'set' | 'delete' | 'compareAndSet'>, key: string) {
    this.#store = store
    this.#key = key
  }

  async get(): Promise<T | undefined> {
    return this.#decode((await this.#store.get(this.#key))?.value)
  }

  /** The value with its version, for `removeAt`. */
  async read(): Promise<{ readonly value: T; readonly version: Version } | undefined> {
    const entry = await this.#store.get(this.#key)
    const value = this.#decode(entry?.value)
    return entry === undefined || value === undefined ? undefined : { value, version: entry.version }
  }

  /** Writes it where there is none. Undefined when there is one. */
  create(value: T, expiry: Expiry = {}): Promise<Version | undefined> {
    return this.#store.compareAndSet(this.#key, undefined, encode(value), expiry)
  }

  /** Removes it, if it was not changed since. */
  async removeAt(version: Version): Promise<void> {
    // A date in the past: compare and delete.
    await this.#store.compareAndSet(this.#key, version, null, { expiresAt: 0 })
  }

  set(value: T, expiry: Expiry = {}): Promise<void> {
    return this.#store.set(this.#key, encode(value), expiry)
  }

  /** True when there was one. */
  delete(): Promise<boolean> {
    return this.#store.delete(this.#key)
  }

  /** Changes what is there by what `change` makes of it, which may be asked more than once and must not have effects. */
  async update<Result>(change: (current: T | undefined) => CellChange<T, Result>): Promise<Result> {
    for (let conflicts = 0; conflicts < maxConflicts; conflicts++) {
      const entry = await this.#store.get(this.#key)
      const next = change(this.#decode(entry?.value))
      if (next.value === undefined && (next.isRemoved !== true || entry === undefined)) return next.result
      const written =
        next.value === undefined
          ? // A date in the past: compare and delete.
            await this.#store.compareAndSet(this.#key, entry?.version, null, { expiresAt: 0 })
          : await this.#store.compareAndSet(this.#key, entry?.version, encode(next.value), {
              expiresAt: next.expiresAt,
            })
      if (written !== undefined) return next.result
    }
    throw tooContended(this.#key, maxConflicts)
  }

  #decode(value: JsonValue | undefined): T | undefined {
    if (value === undefined || value === null) return undefined
    const stored = value as unknown as Stored<T>
    checkFormat(stored, this.#key)
    return stored.d
  }
}

/** What is kept in a cell is JSON by what it holds; the compiler cannot see that of every type. */
function encode<T>(value: T): JsonValue {
  return { v: format, d: value } satisfies Stored<T> as unknown as JsonValue
}
