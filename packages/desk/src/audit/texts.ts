// What people were shown, apart from the chain, so that words can be erased and the chain stays whole: it has their digest. Those
// of one batch of entries are one value in the store.
import { randomUUID } from 'node:crypto'
import type { Expiry, Store } from 'beckon/store'
import { Cell } from 'beckon/store/handles'
import type { ShownText } from './entry.js'
import { auditNames } from './log-names.js'

/** By digest. */
type Bundle = Readonly<Record<string, ShownText>>

export class AuditTexts {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** A name for a bundle to come. */
  newId(): string {
    return randomUUID()
  }

  keep(id: string, texts: ReadonlyMap<string, ShownText>, expiry: Expiry): Promise<void> {
    return this.#cell(id).set(Object.fromEntries(texts), expiry)
  }

  /** What a bundle has. */
  async read(id: string): Promise<Bundle> {
    return (await this.#cell(id).get()) ?? {}
  }

  /** Erases words. Anyone else who was shown the very same, at the same time, was shown what is erased. */
  async erase(id: string, digest: string, expiry: Expiry): Promise<boolean> {
    return this.#cell(id).update<boolean>(bundle => {
      if (bundle === undefined || !Object.hasOwn(bundle, digest)) return { result: false }
      const { [digest]: _, ...value } = bundle
      return { value, ...expiry, result: true }
    })
  }

  #cell(id: string): Cell<Bundle> {
    return new Cell(this.#store, auditNames.texts(id))
  }
}
