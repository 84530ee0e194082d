import type { SetMember, Store } from '../store/index.js'

/**
 * Which calls a node runs, so that others find them when it died. Written before a call is promised to anyone. They are
 * named as their logs are: an id opens something, and a name does not tell it.
 */
export class OwnedCalls {
  readonly #store: Store
  readonly #node: string
  /** With when each was written. */
  readonly #names = new Map<string, number>()

  constructor(store: Store, node: string) {
    this.#store = store
    this.#node = node
  }

  async add(name: string, now: number): Promise<void> {
    this.#names.set(name, now)
    await this.#store.put(this.#setOf(this.#node), name, now)
  }

  async remove(name: string): Promise<void> {
    this.#names.delete(name)
    await this.#store.remove(this.#setOf(this.#node), name)
  }

  /** Writes all of them again, later than before: others took this node for dead, and may be clearing them away. */
  async rewrite(now: number): Promise<void> {
    await Promise.all(Array.from(this.#names, ([name, at]) => this.add(name, Math.max(now, at + 1))))
  }

  /** Some of the calls of another node, the oldest first. */
  of(node: string, limit: number): Promise<SetMember[]> {
    return this.#store.range(this.#setOf(node), { limit })
  }

  /** A call of another node was seen to; unless that node has written it again since. */
  async done(node: string, { member, score }: SetMember): Promise<void> {
    await this.#store.remove(this.#setOf(node), member, { if: score })
  }

  #setOf(node: string): string {
    return `calls of ${node}`
  }
}
