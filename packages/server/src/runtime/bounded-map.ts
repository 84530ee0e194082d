interface Entry<K, V> {
  readonly key: K
  readonly value: V
  older: Entry<K, V> | undefined
  newer: Entry<K, V> | undefined
}

/**
 * A map that holds so many entries and then lets the oldest go. The entries are linked by age: the first key of a plain
 * `Map` is found by walking over everything that was deleted before it, which for a large one takes longer than a call.
 */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, Entry<K, V>>()
  readonly #max: number
  readonly #onEvict: ((value: V, key: K) => void) | undefined
  #oldest: Entry<K, V> | undefined
  #newest: Entry<K, V> | undefined

  constructor(max: number, onEvict?: (value: V, key: K) => void) {
    this.#max = max
    this.#onEvict = onEvict
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)?.value
  }

  /** Adds an entry, or moves a known one to the young end. */
  set(key: K, value: V): void {
    this.delete(key)
    const entry: Entry<K, V> = { key, value, older: this.#newest, newer: undefined }
    this.#entries.set(key, entry)
    if (this.#newest === undefined) this.#oldest = entry
    else this.#newest.newer = entry
    this.#newest = entry
    const oldest = this.#oldest
    if (this.#entries.size <= this.#max || oldest === undefined) return
    this.delete(oldest.key)
    this.#onEvict?.(oldest.value, oldest.key)
  }

  delete(key: K): boolean {
    const entry = this.#entries.get(key)
    if (entry === undefined) return false
    const { older, newer } = entry
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
    return this.#entries.delete(key)
  }

  *values(): IterableIterator<V> {
    for (const { value } of this.#entries.values()) yield value
  }

  *entries(): IterableIterator<[K, V]> {
    for (const { key, value } of this.#entries.values()) yield [key, value]
  }

  clear(): void {
    this.#entries.clear()
    this.#oldest = undefined
    this.#newest = undefined
  }
}
