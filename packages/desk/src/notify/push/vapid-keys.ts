import type { Store } from 'beckon/store'
import { Cell } from 'beckon/store/handles'
import webPush from 'web-push'

export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** The keys that a desk signs its push messages with: made once, and kept. Browsers subscribe to messages of these alone. */
export class StoredVapidKeys {
  readonly #cell: Cell<VapidKeys>
  #known: VapidKeys | undefined

  constructor(store: Store, prefix: string) {
    this.#cell = new Cell(store, `${prefix}push/vapid`)
  }

  async get(): Promise<VapidKeys> {
    this.#known ??= await this.#find()
    return this.#known
  }

  async #find(): Promise<VapidKeys> {
    const known = await this.#cell.get()
    if (known !== undefined) return known
    const made = webPush.generateVAPIDKeys()
    const isMine = (await this.#cell.create(made)) !== undefined
    return isMine ? made : ((await this.#cell.get()) ?? made)
  }
}
