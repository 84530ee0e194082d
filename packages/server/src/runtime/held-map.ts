/**
 * A map for what comes and goes. A plain `Map` that outgrows its table leaves that as it was, and the collector takes an old one
 * for alive until it collects everything: all that ever was in the map would stay until then. Here that has the keys alone.
 */
export class HeldMap<K, V> {
  readonly #holders = new Map<K, Holder<V>>()

  get(key: K): V | undefined {
    return this.#holders.get(key)?.value
  }

  set(key: K, value: V): void {
    const holder = this.#holders.get(key)
    if (holder === undefined) this.#holders.set(key, { value })
    else holder.value = value
  }

  delete(key: K): boolean {
    const holder = this.#holders.get(key)
    if (holder === undefined) return false
    holder.value = undefined
    return this.#holders.delete(key)
  }

  clear(): void {
    for (const key of this.#holders.keys()) this.delete(key)
  }

  *entries(): IterableIterator<[K, V]> {
    for (const [key, { value }] of this.#holders) yield [key, value as V]
  }

  *values(): IterableIterator<V> {
    for (const { value } of this.#holders.values()) yield value as V
  }
}

interface Holder<V> {
  /** Undefined once it is out. */
  value: V | undefined
}
