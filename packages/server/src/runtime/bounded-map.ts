interface Entry<K, V> {
  readonly key: K
  value: V
  bytes: number
  older: Entry<K, V> | undefined
  newer: Entry<K, V> | undefined
}

export interface BoundedMapOptions<K, V> {
  /** So many entries. */
  readonly max: number
  /** Together so many bytes, by what `set` was told of each. Default: any number. */
  readonly maxBytes?: number | undefined
  /** Which entries are let go before all others: the oldest of them, then the oldest of all. Default: none. */
  readonly goesFirst?: ((value: V) => boolean) | undefined
  /** Told of an entry that was let go to stay within bounds. */
  readonly onEvict?: ((value: V, key: K) => void) | undefined
}

/**
 * A map that holds so many entries, and so many bytes, and then lets the oldest go. The entries are linked by age: the first
 * key of a plain `Map` is found by walking over everything that was deleted before it, which for a large one takes longer
 * than a call.
 */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, Entry<K, V>>()
  readonly #options: BoundedMapOptions<K, V>
  #bytes = 0
  #oldest: Entry<K, V> | undefined
  #newest: Entry<K, V> | undefined

  constructor(options: BoundedMapOptions<K, V>) {
    this.#options = options
  }

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)?.value
  }

  /** Adds an entry, or moves a known one to the young end. */
  set(key: K, value: V, bytes = 0): void {
    const known = this.#entries.get(key)
    if (known === undefined) {
      const entry: Entry<K, V> = { key, value, bytes, older: undefined, newer: undefined }
      this.#entries.set(key, entry)
      this.#link(entry)
    } else {
      this.#unlink(known)
      known.value = value
      known.bytes = bytes
      this.#link(known)
    }
    const { max, maxBytes = Number.POSITIVE_INFINITY, onEvict } = this.#options
    while (this.#entries.size > max || (this.#bytes > maxBytes && this.#entries.size > 1)) {
      const oldest = this.#first()
      if (oldest === undefined) return
      const { key: oldKey, value: oldValue } = oldest
      this.delete(oldKey)
      onEvict?.(oldValue, oldKey)
    }
  }

  /** The next to be let go: not the one that was just added, while there are others. */
  #first(): Entry<K, V> | undefined {
    const { goesFirst } = this.#options
    if (goesFirst !== undefined)
      for (let entry = this.#oldest; entry !== this.#newest; entry = entry?.newer)
        if (entry !== undefined && goesFirst(entry.value)) return entry
    return this.#oldest
  }

  delete(key: K): boolean {
    const entry = this.#entries.get(key)
    if (entry === undefined) return false
    this.#unlink(entry)
    // A plain `Map` that has outgrown its table leaves that as it was: one that is old, and garbage, would keep the value.
    entry.value = undefined as V
    return this.#entries.delete(key)
  }

  /** The oldest first, as they are now; without those that go meanwhile. */
  *entries(): IterableIterator<[K, V]> {
    const all: Entry<K, V>[] = []
    for (let entry = this.#oldest; entry !== undefined; entry = entry.newer) all.push(entry)
    for (const entry of all) if (this.#entries.get(entry.key) === entry) yield [entry.key, entry.value]
  }

  *values(): IterableIterator<V> {
    for (const [, value] of this.entries()) yield value
  }

  #link(entry: Entry<K, V>): void {
    this.#bytes += entry.bytes
    entry.older = this.#newest
    if (this.#newest === undefined) this.#oldest = entry
    else this.#newest.newer = entry
    this.#newest = entry
  }

  #unlink(entry: Entry<K, V>): void {
    const { older, newer } = entry
    this.#bytes -= entry.bytes
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
    // One that is garbage, and old, would keep every younger one that it leads to until a full collection.
    entry.older = undefined
    entry.newer = undefined
  }

  clear(): void {
    for (const [key] of this.entries()) this.delete(key)
  }
}
