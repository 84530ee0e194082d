import { RequestError } from '../protocol/request-error.js'
import { BoundedMap } from '../runtime/bounded-map.js'

/** Anything that is held in memory for a caller. */
export interface Held {
  readonly principal: string | undefined
  readonly bytes: number
  /** By which callers without a principal are told apart, where one too many is refused. */
  readonly sessionId?: string | undefined
  /** Whether something is going on with it: such are evicted after all others. */
  readonly isBusy?: boolean
}

export interface CallerBoundsOptions<K, V> {
  /** For callers with a principal, together; and as many for all the others. */
  readonly max: number
  readonly maxBytes: number
  readonly maxPerCaller: number
  /** What is done when there is no room: the oldest are evicted, or one too many is refused. */
  readonly whenFull: 'evict' | 'refuse'
  /** Told of what was evicted. */
  readonly onEvict?: (held: V, key: K) => void
}

/**
 * Items in memory by their key, bounded in number and bytes, for each caller and in all. Callers without a principal, of whom
 * there may be any number, have a share of their own: they evict nothing of callers with a principal, and keep out none of them.
 */
export class CallerBounds<K, V extends Held> {
  readonly #options: CallerBoundsOptions<K, V>
  readonly #known: BoundedMap<K, V>
  readonly #anonymous: BoundedMap<K, V>
  readonly #byCaller = new Map<string, BoundedMap<K, V>>()

  constructor(options: CallerBoundsOptions<K, V>) {
    this.#options = options
    this.#known = this.#share(options)
    this.#anonymous = this.#share(options)
  }

  get size(): number {
    return this.#known.size + this.#anonymous.size
  }

  get(key: K): V | undefined {
    return this.#known.get(key) ?? this.#anonymous.get(key)
  }

  /** @throws RequestError when one more is refused */
  add(key: K, held: V): void {
    const all = this.#shareOfAll(held)
    const caller = this.#callerOf(held)
    if (this.#options.whenFull === 'refuse' && all.get(key) === undefined)
      this.#checkRoom(held.bytes, all, this.#byCaller.get(caller ?? ''))
    all.set(key, held, held.bytes)
    if (caller === undefined) return
    const own = this.#byCaller.get(caller) ?? this.#share(this.#ownBounds)
    this.#byCaller.set(caller, own)
    own.set(key, held, held.bytes)
  }

  /** What is held takes more or less by now: no reason to refuse it. Nothing is added. */
  weigh(key: K, held: V): void {
    if (this.get(key) !== undefined) this.add(key, held)
  }

  /** Removes and gives back. */
  take(key: K): V | undefined {
    const held = this.get(key)
    if (held !== undefined) this.#forget(held, key)
    return held
  }

  *values(): IterableIterator<V> {
    yield* this.#known.values()
    yield* this.#anonymous.values()
  }

  /** Evicts the items for which `isOver` holds. */
  remove(isOver: (held: V) => boolean): void {
    for (const all of [this.#known, this.#anonymous])
      for (const [key, held] of all.entries()) if (isOver(held)) this.#evict(held, key)
  }

  /** Evicts everything. */
  clear(): void {
    this.remove(() => true)
  }

  #shareOfAll({ principal }: V): BoundedMap<K, V> {
    return principal === undefined ? this.#anonymous : this.#known
  }

  /** Undefined for callers whom neither a principal nor a session identifies: they are not one caller. */
  #callerOf({ principal, sessionId }: V): string | undefined {
    if (principal !== undefined) return `principal ${principal}`
    return sessionId === undefined || this.#options.whenFull === 'evict' ? undefined : `session ${sessionId}`
  }

  /** Half of the bytes: one caller alone cannot fill the whole. */
  get #ownBounds(): { max: number; maxBytes: number } {
    const { maxPerCaller: max, maxBytes } = this.#options
    return { max, maxBytes: maxBytes / 2 }
  }

  #checkRoom(bytes: number, all: BoundedMap<K, V>, own: BoundedMap<K, V> | undefined): void {
    if (own !== undefined && !hasRoom(own, bytes, this.#ownBounds)) throw tooMany('of this caller')
    if (!hasRoom(all, bytes, this.#options)) throw tooMany('on this server')
  }

  #share({ max, maxBytes }: { max: number; maxBytes: number }): BoundedMap<K, V> {
    if (this.#options.whenFull === 'refuse') return new BoundedMap({ max: Number.POSITIVE_INFINITY })
    return new BoundedMap({
      max,
      maxBytes,
      goesFirst: ({ isBusy }) => isBusy !== true,
      onEvict: (held, key) => this.#evict(held, key),
    })
  }

  #evict(held: V, key: K): void {
    this.#forget(held, key)
    this.#options.onEvict?.(held, key)
  }

  #forget(held: V, key: K): void {
    this.#shareOfAll(held).delete(key)
    const caller = this.#callerOf(held) ?? ''
    const own = this.#byCaller.get(caller)
    own?.delete(key)
    if (own?.size === 0) this.#byCaller.delete(caller)
  }
}

/** A single item may take more than there is room for: it would never be let in. */
function hasRoom(
  { size, bytes }: { size: number; bytes: number },
  more: number,
  { max, maxBytes }: { max: number; maxBytes: number },
): boolean {
  return size < max && (size === 0 || bytes + more <= maxBytes)
}

function tooMany(whose: string): RequestError {
  return new RequestError(-32000, `Too many calls ${whose} are open. Try again when some of them have ended.`)
}
