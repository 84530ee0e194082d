import { dropOldest } from '@beckon/core'
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import { Cell, OrderedSet } from 'beckon/store/handles'
import { tokenOfPrincipal } from '../index/tokens.js'

/** Someone who was let in. */
export interface SeenPerson {
  readonly principal: string
  /** When they were last here, to within a day; milliseconds. */
  readonly seenAt: number
  /** Those that they were in then. */
  readonly groups?: readonly string[]
}

/** Where a page of people ends, and the next begins behind. */
export interface PeoplePlace {
  readonly at: number
  readonly member: string
}

export interface PeopleOptions {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
}

const dayMs = 24 * 60 * 60 * 1000
/** Anyone who was not here for so long counts as never seen. */
const rememberedMs = 400 * dayMs
/** As many are remembered by this node. */
const maxNoted = 10_000

/** Who was ever let in: an ask for somebody else waits for a person who may not exist. */
export class People {
  readonly #options: PeopleOptions
  /** By when they were last here. */
  readonly #names: OrderedSet
  /** Those who are known to be in the store, when they were put there, and with which groups. */
  readonly #noted = new Map<string, { readonly at: number; readonly groups: string }>()

  constructor(options: PeopleOptions) {
    this.#options = options
    this.#names = new OrderedSet(options.store, 'people')
  }

  /** Someone was let in. Rejects when that could not be written. */
  async note(principal: string, groups: readonly string[] = []): Promise<void> {
    const now = this.#options.clock.now()
    const noted = this.#noted.get(principal)
    const said = JSON.stringify(groups)
    if (noted !== undefined && now - noted.at < dayMs && noted.groups === said) return
    this.#remember(principal, now, said)
    const token = tokenOfPrincipal(principal)
    const expiresAt = now + rememberedMs
    try {
      // First the name: one that leads nowhere is cleared away.
      await this.#names.put(token, now, { expiresAt })
      await this.#person(token).set({ principal, seenAt: now, ...(groups.length > 0 && { groups }) }, { expiresAt })
      await this.#cell(principal).set(now, { expiresAt })
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

  /** Everyone who was let in, the last one first, page by page. */
  async list(page: { readonly limit: number; readonly after?: PeoplePlace | undefined }): Promise<{
    readonly people: readonly SeenPerson[]
    readonly next?: PeoplePlace | undefined
  }> {
    const { limit, after } = page
    const from = after && { score: after.at, member: after.member }
    const named = await this.#names.range({ reverse: true, limit, from })
    const found = await Promise.all(
      named.map(async ({ member }) => ({ member, person: await this.#person(member).get() })),
    )
    const gone = found.filter(({ person }) => person === undefined)
    await Promise.all(gone.map(({ member }) => this.#names.remove(member)))
    const last = named.at(-1)
    return {
      people: found.flatMap(({ person }) => person ?? []),
      ...(last !== undefined && named.length === limit && { next: { at: last.score, member: last.member } }),
    }
  }

  find(principal: string): Promise<SeenPerson | undefined> {
    return this.#person(tokenOfPrincipal(principal)).get()
  }

  /** Forgets someone; false when they were never here. */
  async forget(principal: string): Promise<boolean> {
    const token = tokenOfPrincipal(principal)
    this.#noted.delete(principal)
    const isKnown = await this.#person(token).delete()
    await this.#cell(principal).delete()
    await this.#names.remove(token)
    return isKnown
  }

  async #isSeen(principal: string): Promise<boolean> {
    if (this.#noted.has(principal)) return true
    const at = await this.#cell(principal).get()
    // Without its groups: a person who comes in with some is written again.
    if (at !== undefined) this.#remember(principal, at, '')
    return at !== undefined
  }

  #remember(principal: string, at: number, groups: string): void {
    this.#noted.set(principal, { at, groups })
    dropOldest(this.#noted, maxNoted)
  }

  #person(token: string): Cell<SeenPerson> {
    return new Cell<SeenPerson>(this.#options.store, `people/${token}`)
  }

  #cell(principal: string): Cell<number> {
    return new Cell<number>(this.#options.store, `seen/${tokenOfPrincipal(principal)}`)
  }
}
