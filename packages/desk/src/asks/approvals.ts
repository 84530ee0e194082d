import type { Store } from 'beckon/store'

/** Who has accepted an ask that needs several people. */
export class Approvals {
  readonly #store: Store
  readonly #name: string

  constructor(store: Store, name: string) {
    this.#store = store
    this.#name = name
  }

  /** Counts someone in, once, and gives how many there are. */
  async add(request: string, principal: string, expiresAt: number): Promise<number> {
    const key = `${this.#name}/approvals/${request}`
    for (;;) {
      const entry = await this.#store.get(key)
      const before = Array.isArray(entry?.value) ? entry.value : []
      if (before.includes(principal)) return before.length
      const after = [...before, principal]
      if ((await this.#store.compareAndSet(key, entry?.version, after, { expiresAt })) !== undefined)
        return after.length
    }
  }
}
