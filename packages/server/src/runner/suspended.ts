import { BoundedMap } from '../runtime/bounded-map.js'

/** Anything that is held in memory for a caller. */
export interface Held {
  readonly principal: string | undefined
  readonly bytes: number
  /** It was let go to stay within bounds. */
  evicted(): void
}

export interface HeldLimits {
  /** For callers with a principal, together; and as many for all the others. */
  readonly max: number
  readonly maxBytes: number
  readonly maxPerPrincipal: number
}

/**
 * What waits in memory, by its key: so much in number and bytes, the oldest let go first. Callers without a principal, of
 * whom there may be any number, have a share of their own: they push out nobody who is known.
 */
export class Suspended<V extends Held> {
  readonly #known: BoundedMap<string, V>
  readonly #anonymous: BoundedMap<string, V>
  readonly #byPrincipal = new Map<string, BoundedMap<string, V>>()
  readonly #limits: HeldLimits

  constructor(limits: HeldLimits) {
    const { max, maxBytes } = limits
    const onEvict = (held: V, key: string) => {
      this.#forget(held, key)
      held.evicted()
    }
    this.#limits = limits
    this.#known = new BoundedMap({ max, maxBytes, onEvict })
    this.#anonymous = new BoundedMap({ max, maxBytes, onEvict })
  }

  get size(): number {
    return this.#known.size + this.#anonymous.size
  }

  get bytes(): number {
    return this.#known.bytes + this.#anonymous.bytes
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

  /** Lets go of those that a test picks. */
  remove(isOver: (held: V) => boolean): void {
    for (const all of [this.#known, this.#anonymous])
      for (const [key, held] of all.entries()) if (isOver(held)) this.take(key)?.evicted()
  }

  /** Lets everything go. */
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
      // Half of what there is for everyone: one person alone does not fill it.
      maxBytes: maxBytes / 2,
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
