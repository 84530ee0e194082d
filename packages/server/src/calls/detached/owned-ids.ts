import type { Store } from '../../store/index.js'

/** So many that a list stays short, and so few that a dead node's are soon read. */
const buckets = 64

/**
 * Which calls a node runs, so that others find them when it died. Written before a call is promised to anyone. A list of a
 * node has one writer, the node itself.
 */
export class OwnedIds {
  readonly #store: Store
  readonly #node: string
  readonly #lists = new Map<number, Set<string>>()

  constructor(store: Store, node: string) {
    this.#store = store
    this.#node = node
  }

  add(id: string): Promise<void> {
    const bucket = bucketOf(id)
    const list = this.#lists.get(bucket) ?? new Set()
    this.#lists.set(bucket, list.add(id))
    return this.#write(bucket, list)
  }

  async remove(id: string): Promise<void> {
    const bucket = bucketOf(id)
    const list = this.#lists.get(bucket)
    if (list?.delete(id)) await this.#write(bucket, list)
  }

  /** Writes every list again: others took this node for dead, and its lists for theirs. */
  async rewrite(): Promise<void> {
    for (const [bucket, list] of this.#lists) await this.#write(bucket, list)
  }

  /** The lists of another node, one after the other. A list that has changed since is left. */
  async *of(node: string): AsyncIterable<{ ids: string[]; done(): Promise<unknown> }> {
    for (let bucket = 0; bucket < buckets; bucket++) {
      const key = keyOf(node, bucket)
      const entry = await this.#store.get(key)
      if (entry === undefined) continue
      const done = () => this.#store.compareAndSet(key, entry.version, null, { expiresAt: 0 })
      yield { ids: entry.value as string[], done }
    }
  }

  async #write(bucket: number, list: ReadonlySet<string>): Promise<void> {
    const key = keyOf(this.#node, bucket)
    if (list.size > 0) await this.#store.set(key, [...list])
    else await this.#store.delete(key)
  }
}

function keyOf(node: string, bucket: number): string {
  return `node/${node}/calls/${bucket}`
}

function bucketOf(id: string): number {
  let sum = 0
  for (let index = 0; index < id.length; index++) sum = (sum * 31 + id.charCodeAt(index)) % buckets
  return sum
}
