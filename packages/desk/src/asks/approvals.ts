import type { Store } from 'beckon/store'
import { askKey } from './ask-key.js'

/** An ask that needs several people. Its time tells it from one of the same name that is put later. */
export interface SharedAsk {
  readonly session: string
  readonly request: string
  readonly expiresAt: number
}

/** Who has accepted an ask that needs several people. */
export class Approvals {
  readonly #store: Store
  readonly #name: string

  constructor(store: Store, name: string) {
    this.#store = store
    this.#name = name
  }

  /** Counts someone in, once, and gives how many there are. */
  add(ask: SharedAsk, principal: string): Promise<number> {
    return this.#change(ask, before => (before.includes(principal) ? before : [...before, principal]))
  }

  /** Counts someone out who thought better of it, and gives how many are left. */
  remove(ask: SharedAsk, principal: string): Promise<number> {
    return this.#change(ask, before => (before.includes(principal) ? before.filter(one => one !== principal) : before))
  }

  async #change(ask: SharedAsk, next: (before: readonly string[]) => readonly string[]): Promise<number> {
    const { session, request, expiresAt } = ask
    const key = `${this.#name}/approvals/${askKey(session, request)}/${expiresAt}`
    for (;;) {
      const entry = await this.#store.get(key)
      const before = Array.isArray(entry?.value) ? entry.value.map(String) : []
      const after = next(before)
      if (after === before) return before.length
      if ((await this.#store.compareAndSet(key, entry?.version, [...after], { expiresAt })) !== undefined)
        return after.length
    }
  }
}
