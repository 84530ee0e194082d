// Whom the desk can tell something: everyone who was here, with what their sign-in said, and how they want to be told.

import { dropOldest } from '@beckon/core'
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import { Cell, OrderedSet } from 'beckon/store/handles'
import { staleMs } from '../index/names.js'
import { tokenOfPrincipal } from '../index/tokens.js'
import type { Person, Role } from '../policy/audience.js'
import type { NotifySettings } from './settings.js'

/** Someone, as they were last here. */
export interface KnownPerson {
  readonly principal: string
  readonly groups?: readonly string[]
  readonly role?: Role
  /** An address that their sign-in has proved to be theirs. */
  readonly email?: string
  readonly seenAt: number
  readonly settings?: NotifySettings
}

export interface KnownPeopleOptions {
  readonly store: Store
  readonly prefix: string
  readonly clock: Pick<Clock, 'now'>
}

const dayMs = 24 * 60 * 60 * 1000
/** Anyone who was not here for so long is told nothing any more, unless they are asked by name. */
const rememberedMs = 400 * dayMs
const maxPeople = 10_000
const pagePeople = 200

export class KnownPeople {
  readonly #options: KnownPeopleOptions
  /** By when they were last seen. */
  readonly #names: OrderedSet
  /** What this node wrote last of someone, and when. */
  readonly #noted = new Map<string, { readonly said: string; readonly at: number }>()

  constructor(options: KnownPeopleOptions) {
    this.#options = options
    this.#names = new OrderedSet(options.store, `${options.prefix}people`)
  }

  /** Someone was let in. */
  async seen({ principal, groups, role, email }: Person): Promise<void> {
    const now = this.#options.clock.now()
    const said = JSON.stringify([groups, role, email])
    const noted = this.#noted.get(principal)
    if (noted?.said === said && now - noted.at < dayMs) return
    this.#note(principal, said, now)
    const about = { ...(groups && { groups }), ...(role && { role }), ...(email !== undefined && { email }) }
    await this.#change(principal, known => ({ ...settingsOf(known), principal, ...about, seenAt: now }))
  }

  /** Sets how someone wants to be told. */
  set(principal: string, settings: NotifySettings): Promise<void> {
    const seenAt = this.#options.clock.now()
    return this.#change(principal, known => ({ seenAt, ...known, principal, settings }))
  }

  find(principal: string): Promise<KnownPerson | undefined> {
    return this.#cell(tokenOfPrincipal(principal)).get()
  }

  /** Forgets someone, until they are here again. */
  async forget(principal: string): Promise<void> {
    const token = tokenOfPrincipal(principal)
    this.#noted.delete(principal)
    await this.#cell(token).delete()
    await this.#names.remove(token)
  }

  /** Everyone, page by page. */
  async *all(): AsyncGenerator<KnownPerson> {
    const { clock } = this.#options
    for await (const page of this.#names.pages({ limit: pagePeople })) {
      const found = await Promise.all(page.map(({ member }) => this.#cell(member).get()))
      for (const [index, person] of found.entries()) {
        const { member = '', score = 0 } = page[index] ?? {}
        if (person !== undefined) yield person
        // Its record is written after it, or has gone.
        else if (clock.now() - score > staleMs) await this.#names.remove(member, { if: score })
      }
    }
  }

  async #change(principal: string, change: (known: KnownPerson | undefined) => KnownPerson): Promise<void> {
    const { clock } = this.#options
    const token = tokenOfPrincipal(principal)
    const isNew = (await this.#cell(token).get()) === undefined
    if (isNew && (await this.#names.count({ upTo: maxPeople })) >= maxPeople) return
    // First the name: one that leads nowhere is cleared away, and someone without one would never be found.
    await this.#names.put(token, clock.now())
    const expiresAt = clock.now() + rememberedMs
    await this.#cell(token).update(known => ({ value: change(known), expiresAt, result: undefined }))
  }

  #note(principal: string, said: string, at: number): void {
    this.#noted.delete(principal)
    this.#noted.set(principal, { said, at })
    dropOldest(this.#noted, maxPeople)
  }

  #cell(token: string): Cell<KnownPerson> {
    return new Cell(this.#options.store, `${this.#options.prefix}people/${token}`)
  }
}

function settingsOf(known: KnownPerson | undefined): Pick<KnownPerson, 'settings'> {
  return known?.settings === undefined ? {} : { settings: known.settings }
}
