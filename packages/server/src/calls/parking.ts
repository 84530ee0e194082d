import { BoundedMap } from '../runtime/bounded-map.js'

/** Anything that can be kept for a principal. */
export interface Parkable {
  readonly principal: string | undefined
  /** It was let go to stay within bounds. */
  evicted(): void
}

/** Suspended calls by their state: so many in all and for each principal, the oldest let go first. */
export class Parking<V extends Parkable> {
  readonly #all: BoundedMap<string, V>
  readonly #byPrincipal = new Map<string, Set<string>>()
  readonly #maxPerPrincipal: number

  constructor(max: number, maxPerPrincipal: number) {
    this.#all = new BoundedMap(max, (parked, state) => {
      this.#forget(parked, state)
      parked.evicted()
    })
    this.#maxPerPrincipal = maxPerPrincipal
  }

  get size(): number {
    return this.#all.size
  }

  get(state: string): V | undefined {
    return this.#all.get(state)
  }

  add(state: string, parked: V): void {
    this.#all.set(state, parked)
    // Callers that nobody can tell apart share the bound of all.
    if (parked.principal === undefined) return
    const own = this.#byPrincipal.get(parked.principal) ?? new Set()
    this.#byPrincipal.set(parked.principal, own.add(state))
    if (own.size <= this.#maxPerPrincipal) return
    const [oldest] = own
    if (oldest !== undefined) this.take(oldest)?.evicted()
  }

  /** Removes and gives back. */
  take(state: string): V | undefined {
    const parked = this.#all.get(state)
    if (parked === undefined) return undefined
    this.#all.delete(state)
    this.#forget(parked, state)
    return parked
  }

  /** Lets go of those that a test picks. */
  remove(isOver: (parked: V) => boolean): void {
    for (const [state, parked] of this.#all.entries()) if (isOver(parked)) this.take(state)?.evicted()
  }

  /** Lets everything go. */
  clear(): void {
    const all = [...this.#all.values()]
    this.#all.clear()
    this.#byPrincipal.clear()
    for (const parked of all) parked.evicted()
  }

  #forget({ principal }: V, state: string): void {
    if (principal === undefined) return
    const own = this.#byPrincipal.get(principal)
    own?.delete(state)
    if (own?.size === 0) this.#byPrincipal.delete(principal)
  }
}
