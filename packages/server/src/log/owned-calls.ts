import type { Clock } from '../runtime/clock.js'
import { OrderedSet } from '../store/handles/index.js'
import type { AppendOptions, SetMember, Store } from '../store/index.js'
import type { CallState } from './reduce.js'

/**
 * Which durable calls a node runs, so that others find them when it died. A call gets its name there with the event that makes it
 * this node's, and loses it with the one that ends it. They are named as their logs are: an id opens something, and a name does
 * not tell it.
 */
export class OwnedCalls {
  readonly #store: Store
  readonly #node: { readonly id: string }
  readonly #clock: Clock
  /** With when each was written. */
  readonly #names = new Map<string, number>()

  constructor(store: Store, node: { readonly id: string }, clock: Clock) {
    this.#store = store
    this.#node = node
    this.#clock = clock
  }

  /** What changes with an append to the log of a call. */
  changes(name: string, before: CallState, after: CallState): Pick<AppendOptions, 'puts' | 'removals'> | undefined {
    const isOwn = this.#isOwn(after)
    if (this.#isOwn(before) === isOwn) return undefined
    const own = this.#of(this.#node.id)
    return isOwn ? { puts: [own.putOf(name, this.#clock.now())] } : { removals: [own.removalOf(name)] }
  }

  /** That append was made. */
  changed(name: string, before: CallState, after: CallState): void {
    const isOwn = this.#isOwn(after)
    if (this.#isOwn(before) === isOwn) return
    if (isOwn) this.#names.set(name, this.#clock.now())
    else this.#names.delete(name)
  }

  /** A call no longer belongs to this node, whichever process runs it now. */
  async remove(name: string): Promise<void> {
    if (this.#names.delete(name)) await this.#of(this.#node.id).remove(name)
  }

  /** Writes all of them again, later than before: others took this node for dead, and may be clearing them away. */
  async rewrite(): Promise<void> {
    const now = this.#clock.now()
    const own = this.#of(this.#node.id)
    await Promise.all(
      Array.from(this.#names, ([name, at]) => {
        const later = Math.max(now, at + 1)
        this.#names.set(name, later)
        return own.put(name, later)
      }),
    )
  }

  /** Some of the calls of another node, the oldest first. */
  of(node: string, limit: number): Promise<SetMember[]> {
    return this.#of(node).range({ limit })
  }

  /** A call of another node was seen to; unless that node has written it again since. */
  async done(node: string, { member, score }: SetMember): Promise<void> {
    await this.#of(node).remove(member, { if: score })
  }

  #of(node: string): OrderedSet {
    return new OrderedSet(this.#store, `calls of ${node}`)
  }

  #isOwn({ record, owner, end }: CallState): boolean {
    return record !== undefined && end === undefined && owner?.node === this.#node.id
  }
}
