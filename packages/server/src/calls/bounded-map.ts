/** A map that holds so many entries and then lets the oldest go. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #max: number
  readonly #onEvict: ((value: V, key: K) => void) | undefined

  constructor(max: number, onEvict?: (value: V, key: K) => void) {
    this.#max = max
    this.#onEvict = onEvict
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  /** Adds an entry, or moves a known one to the young end. */
  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#max) return
    for (const [oldest, evicted] of this.#entries) {
      this.#entries.delete(oldest)
      this.#onEvict?.(evicted, oldest)
      return
    }
  }

  delete(key: K): boolean {
    return this.#entries.delete(key)
  }

  values(): IterableIterator<V> {
    return this.#entries.values()
  }

  clear(): void {
    this.#entries.clear()
  }
}
