import type {
  CountOptions,
  Expiry,
  PutOptions,
  RangeOptions,
  RemoveOptions,
  SetMember,
  SetPut,
  SetRemoval,
  Store,
} from '../store.js'

/** Members in the order of their scores, in a store under one name. */
export class OrderedSet {
  readonly #store: Pick<Store, 'put' | 'remove' | 'range' | 'count'>
  readonly name: string

  constructor(store: Pick<Store, 'put' | 'remove' | 'range' | 'count'>, name: string) {
    this.#store = store
    this.name = name
  }

  /** False when the set is not as `if` says. */
  put(member: string, score: number, options?: PutOptions): Promise<boolean> {
    return this.#store.put(this.name, member, score, options)
  }

  /** True when it was there, as `if` says. */
  remove(member: string, options?: RemoveOptions): Promise<boolean> {
    return this.#store.remove(this.name, member, options)
  }

  /** Removes what was read, but what was put there again since: that has another score. */
  async removeRead(read: readonly SetMember[]): Promise<void> {
    await Promise.all(read.map(({ member, score }) => this.remove(member, { if: score })))
  }

  range(options: RangeOptions): Promise<SetMember[]> {
    return this.#store.range(this.name, options)
  }

  /** `range` on and on, `limit` at a time: no page is empty, and what stays in its place meanwhile is on one. */
  async *pages(options: RangeOptions): AsyncGenerator<SetMember[], void, undefined> {
    for (let { from } = options; ; ) {
      const page = await this.range({ ...options, from })
      if (page.length === 0) return
      yield page
      if (page.length < options.limit) return
      from = page.at(-1)
    }
  }

  count(options: CountOptions): Promise<number> {
    return this.#store.count(this.name, options)
  }

  /** Removes everything, at once. */
  async clear(): Promise<void> {
    // A date in the past: the set is gone, whatever is in it.
    await this.put('cleared', 0, { expiresAt: 0 })
  }

  /** What puts a member there with an append. */
  putOf(member: string, score: number, expiry: Expiry = {}): SetPut {
    return { set: this.name, member, score, ...expiry }
  }

  /** What removes a member with an append. */
  removalOf(member: string): SetRemoval {
    return { set: this.name, member }
  }
}
