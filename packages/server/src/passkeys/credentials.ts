import { digest } from '../crypto/digest.js'
import { randomId } from '../crypto/random-id.js'
import { Cell } from '../store/handles/index.js'
import type { Store } from '../store/index.js'

/** A passkey as it is kept: never anything that could be used in its place. */
export interface Credential {
  readonly id: string
  /** COSE, in base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly transports?: readonly string[]
  /** What the person calls it. */
  readonly name: string
  readonly createdAt: number
  readonly usedAt?: number
}

interface Kept {
  /** What authenticators know the person by: random, since they show it to nobody but us. */
  readonly user: string
  readonly keys: readonly Credential[]
}

/** More devices than anyone has. */
export const maxPasskeys = 20

/** The passkeys of people. */
export class Credentials {
  readonly #store: Store
  readonly #prefix: string

  constructor(store: Store, prefix: string) {
    this.#store = store
    this.#prefix = prefix
  }

  async of(principal: string): Promise<readonly Credential[]> {
    return (await this.#cell(principal).get())?.keys ?? []
  }

  /** What authenticators know a person by, from the first time on. */
  user(principal: string): Promise<string> {
    return this.#cell(principal).update(known => {
      if (known !== undefined) return { result: known.user }
      const user = randomId()
      return { value: { user, keys: [] }, result: user }
    })
  }

  /**
   * Adds one, unless `may` finds that what is there by now does not allow it.
   * @returns whether it was added
   */
  add(principal: string, added: Credential, may: (known: readonly Credential[]) => boolean): Promise<boolean> {
    return this.#cell(principal).update<boolean>((known = { user: randomId(), keys: [] }) => {
      const { user, keys } = known
      const isNew = keys.length < maxPasskeys && keys.every(({ id }) => id !== added.id)
      return isNew && may(keys) ? { value: { user, keys: [...keys, added] }, result: true } : { result: false }
    })
  }

  /** Notes that one was used. False when it is gone, or its counter says that somebody has a copy of it. */
  used(principal: string, { id, counter, at }: { id: string; counter: number; at: number }): Promise<boolean> {
    return this.#cell(principal).update<boolean>(known => {
      const key = known?.keys.find(one => one.id === id)
      if (known === undefined || key === undefined || isBehind(counter, key)) return { result: false }
      const keys = known.keys.map(one => (one === key ? { ...key, counter, usedAt: at } : one))
      return { value: { ...known, keys }, result: true }
    })
  }

  /** False when it is not there. */
  remove(principal: string, id: string): Promise<boolean> {
    return this.#cell(principal).update<boolean>(known => {
      const keys = known?.keys.filter(one => one.id !== id) ?? []
      if (known === undefined || keys.length === known.keys.length) return { result: false }
      return { value: { ...known, keys }, result: true }
    })
  }

  /** How many there were. */
  removeAll(principal: string): Promise<number> {
    return this.#cell(principal).update<number>(known =>
      known === undefined ? { result: 0 } : { isRemoved: true, result: known.keys.length },
    )
  }

  #cell(principal: string): Cell<Kept> {
    return new Cell(this.#store, `${this.#prefix}passkeys/${digest(principal)}`)
  }
}

/** An authenticator that counts never counts back, nor stands still; many do not count, and say 0. */
export function isBehind(counter: number, known: Pick<Credential, 'counter'>): boolean {
  return (counter > 0 || known.counter > 0) && counter <= known.counter
}
