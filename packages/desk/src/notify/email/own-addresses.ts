// An address that someone set themselves: it counts once they have typed in what was sent to it, signed in. Following a link
// proves nothing here, since mail scanners follow links.
import { createHash, randomInt } from 'node:crypto'
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import { Cell } from 'beckon/store/handles'
import { tokenOfPrincipal } from '../../index/tokens.js'

export interface OwnAddressesOptions {
  readonly store: Store
  readonly prefix: string
  readonly clock: Pick<Clock, 'now'>
}

interface Pending {
  readonly address: string
  readonly digest: string
  readonly attempts: number
  readonly expiresAt: number
}

const codeMs = 30 * 60 * 1000
const maxAttempts = 5
const codeDigits = 8

export class OwnAddresses {
  readonly #options: OwnAddressesOptions

  constructor(options: OwnAddressesOptions) {
    this.#options = options
  }

  find(principal: string): Promise<string | undefined> {
    return this.#verified(principal).get()
  }

  /** What is to be typed in, for an address that was not proved yet. */
  async pending(principal: string): Promise<string | undefined> {
    return (await this.#pending(principal).get())?.address
  }

  /** A code to send to an address. One that was sent before is of no more use. */
  async begin(principal: string, address: string): Promise<string> {
    const code = randomInt(10 ** codeDigits)
      .toString()
      .padStart(codeDigits, '0')
    const expiresAt = this.#options.clock.now() + codeMs
    await this.#pending(principal).set({ address, digest: digestOf(code), attempts: 0, expiresAt }, { expiresAt })
    return code
  }

  /** Whether the code is the one that was sent: then the address is theirs. */
  async confirm(principal: string, code: string): Promise<boolean> {
    const now = this.#options.clock.now()
    const address = await this.#pending(principal).update<string | undefined>(known => {
      if (known === undefined || known.expiresAt <= now) return { isRemoved: true, result: undefined }
      if (known.digest === digestOf(code.replace(/\s/g, ''))) return { isRemoved: true, result: known.address }
      const attempts = known.attempts + 1
      if (attempts >= maxAttempts) return { isRemoved: true, result: undefined }
      return { value: { ...known, attempts }, expiresAt: known.expiresAt, result: undefined }
    })
    if (address === undefined) return false
    await this.#verified(principal).set(address)
    return true
  }

  async remove(principal: string): Promise<void> {
    await this.#pending(principal).delete()
    await this.#verified(principal).delete()
  }

  #pending(principal: string): Cell<Pending> {
    const { store, prefix } = this.#options
    return new Cell(store, `${prefix}email/pending/${tokenOfPrincipal(principal)}`)
  }

  #verified(principal: string): Cell<string> {
    const { store, prefix } = this.#options
    return new Cell(store, `${prefix}email/address/${tokenOfPrincipal(principal)}`)
  }
}

function digestOf(code: string): string {
  return createHash('sha256').update(code).digest('base64url')
}
