import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import { Cell } from 'beckon/store/handles'
import { tokenOfPrincipal } from '../index/tokens.js'

export interface PeopleOptions {
  readonly store: Store
  readonly name: string
  readonly clock: Pick<Clock, 'now'>
}

const dayMs = 24 * 60 * 60 * 1000
/** Whoever was not here for so long counts as never seen. */
const rememberedMs = 400 * dayMs
/** As many are remembered by this node. */
const maxNoted = 10_000

/** Who was ever let in: an ask for somebody else waits for a person who may not exist. */
export class People {
  readonly #options: PeopleOptions
  /** Those who are known to be in the store, and when they were put there. */
  readonly #noted = new Map<string, number>()

  constructor(options: PeopleOptions) {
    this.#options = options
  }

  /** Someone was let in. Rejects when that could not be written. */
  async note(principal: string): Promise<void> {
    const now = this.#options.clock.now()
    if (now - (this.#noted.get(principal) ?? Number.NEGATIVE_INFINITY) < dayMs) return
    this.#remember(principal, now)
    try {
      await this.#cell(principal).set(now, { expiresAt: now + rememberedMs })
    } catch (error) {
      this.#noted.delete(principal)
      throw error
    }
  }

  /** Those who were never let in. */
  async unseen(principals: readonly string[]): Promise<string[]> {
    const found = await Promise.all(principals.map(async principal => (await this.#isSeen(principal)) || principal))
    return found.filter(principal => principal !== true)
  }

  async #isSeen(principal: string): Promise<boolean> {
    if (this.#noted.has(principal)) return true
    const at = await this.#cell(principal).get()
    if (at !== undefined) this.#remember(principal, at)
    return at !== undefined
  }

  #remember(principal: string, at: number): void {
    this.#noted.set(principal, at)
    const [oldest] = this.#noted.keys()
    if (this.#noted.size > maxNoted && oldest !== undefined) this.#noted.delete(oldest)
  }

  #cell(principal: string): Cell<number> {
    const { store, name } = this.#options
    return new Cell<number>(store, `${name}/seen/${tokenOfPrincipal(principal)}`)
  }
}
