import { BoundedMap } from '../runtime/bounded-map.js'

/** Anything that is held in memory for a caller. */
export interface Evictable {
  readonly principal: string | undefined
  readonly bytes: number
  /** Whether nothing is going on with it: such are evicted before all others. */
  readonly isIdle: boolean
  /** Called when it was evicted to stay within the bounds. */
  evicted(): void
}

export interface PrincipalLimits {
  /** For callers with a principal, together; and as many for all the others. */
  readonly max: number
  readonly maxBytes: number
  readonly maxPerPrincipal: number
}

/**
 * Items in memory by their key, bounded in number and bytes: the oldest are evicted first. Callers without a principal, of
 * whom there may be any number, have a share of their own: they evict nothing of callers with a principal.
 */
export class BoundedByPrincipal<V extends Evictable> {
  readonly #known: BoundedMap<string, V>
  readonly #anonymous: BoundedMap<string, V>
  readonly #byPrincipal = new Map<string, BoundedMap<string, V>>()
  readonly #limits: PrincipalLimits

  constructor(limits: PrincipalLimits) {
    const { max, maxBytes } = limits
    const onEvict = (held: V, key: string) => {
      this.#forget(held, key)
      held.evicted()
    }
    this.#limits = limits
    this.#known = new BoundedMap({ max, maxBytes, onEvict, goesFirst })
    this.#anonymous = new BoundedMap({ max, maxBytes, onEvict, goesFirst })
  }

  get size(): number {
    return this.#known.size + this.#anonymous.size
  }

  get(key: string): V | undefined {
    return this.#known.get(key) ?? this.#anonymous.get(key)
  }

  add(key: string, held: V): void {
    const { principal, bytes } = held
    if (principal === undefined) {
      this.#anonymous.set(key, held, bytes)
      return
    }
    this.#known.set(key, held, bytes)
    const own = this.#byPrincipal.get(principal) ?? this.#shareOf(principal)
    own.set(key, held, bytes)
  }

  /** Removes and gives back. */
  take(key: string): V | undefined {
    const held = this.get(key)
    if (held === undefined) return undefined
    this.#known.delete(key)
    this.#anonymous.delete(key)
    this.#forget(held, key)
    return held
  }

  *values(): IterableIterator<V> {
    yield* this.#known.values()
    yield* this.#anonymous.values()
  }

  /** Evicts the items for which `isOver` holds. */
  remove(isOver: (held: V) => boolean): void {
    for (const all of [this.#known, this.#anonymous])
      for (const [key, held] of all.entries()) if (isOver(held)) this.take(key)?.evicted()
  }

  /** Evicts everything. */
  clear(): void {
    const all = [...this.#known.values(), ...this.#anonymous.values()]
    this.#known.clear()
    this.#anonymous.clear()
    this.#byPrincipal.clear()
    for (const held of all) held.evicted()
  }

  #shareOf(principal: string): BoundedMap<string, V> {
    const { maxPerPrincipal: max, maxBytes } = this.#limits
    const share = new BoundedMap<string, V>({
      max,
      // Half of the bytes for everyone: one principal alone cannot fill it.
      maxBytes: maxBytes / 2,
      goesFirst,
      onEvict: (held, key) => {
        this.#known.delete(key)
        held.evicted()
      },
    })
    this.#byPrincipal.set(principal, share)
    return share
  }

  #forget({ principal }: V, key: string): void {
    if (principal === undefined) return
    const own = this.#byPrincipal.get(principal)
    own?.delete(key)
    if (own?.size === 0) this.#byPrincipal.delete(principal)
  }
}

function goesFirst({ isIdle }: Evictable): boolean {
  return isIdle
}
