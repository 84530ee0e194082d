import type { Store } from '../store/index.js'

/**
 * Which calls a node runs, so that others find them when it died. Written before a call is promised to anyone. They are
 * named as their logs are: an id opens something, and a name does not tell it.
 */
export class OwnedCalls {
  readonly #store: Store
  readonly #server: string
  readonly #node: string
  readonly #names = new Set<string>()

  constructor(store: Store, server: string, node: string) {
    this.#store = store
    this.#server = server
    this.#node = node
  }

  async add(name: string, now: number): Promise<void> {
    this.#names.add(name)
    await this.#store.put(this.#setOf(this.#node), name, now)
  }

  async remove(name: string): Promise<void> {
    this.#names.delete(name)
    await this.#store.remove(this.#setOf(this.#node), name)
  }

  /** Writes all of them again: others took this node for dead, and its calls for theirs. */
  async rewrite(now: number): Promise<void> {
    await Promise.all(Array.from(this.#names, name => this.#store.put(this.#setOf(this.#node), name, now)))
  }

  /** Some of the calls of another node, the oldest first. */
  async of(node: string, limit: number): Promise<string[]> {
    return (await this.#store.range(this.#setOf(node), { limit })).map(({ member }) => member)
  }

  /** A call of another node was seen to. */
  async done(node: string, name: string): Promise<void> {
    await this.#store.remove(this.#setOf(node), name)
  }

  #setOf(node: string): string {
    return `${this.#server}/calls of ${node}`
  }
}
