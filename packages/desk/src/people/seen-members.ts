// Who is in a group, as far as the desk can know it without a list: those who were here, by the groups that they had when they came in.
// It is for naming who is missing, and decides nothing: whether somebody may answer is found out when they do.

import { dropOldest } from '@beckon/core'
import type { Clock } from 'beckon'
import type { Members } from '../policy/approval.js'
import { nobodyInParticular, type Person } from '../policy/audience.js'
import type { People, SeenPerson } from './people.js'

export interface SeenMembersOptions {
  readonly people: Pick<People, 'list'>
  readonly clock: Pick<Clock, 'after'>
  /** Whether others may be let in elsewhere. */
  readonly isShared: boolean
}

/** More than this are not named anyway. */
const maxPeople = 1_000
const pagePeople = 200
/** Who was here at another node is known here so much later. */
const lookEveryMs = 5 * 60_000

export class SeenMembers {
  readonly #options: SeenMembersOptions
  /** The groups of each, the one who was here last at the end. */
  readonly #groups = new Map<string, readonly string[]>()
  #stopTimer = () => {}
  #loading: Promise<void> | undefined

  constructor(options: SeenMembersOptions) {
    this.#options = options
  }

  /** Someone was let in. */
  note({ principal, groups = [] }: Pick<Person, 'principal' | 'groups'>): void {
    if (principal === nobodyInParticular) return
    this.#groups.delete(principal)
    if (groups.length > 0) this.#groups.set(principal, groups)
    dropOldest(this.#groups, maxPeople)
  }

  /** Those who were seen in a group; there may be others. */
  of(group: string): Members {
    const people = [...this.#groups].filter(([, groups]) => groups.includes(group)).map(([principal]) => principal)
    return { people, isAll: false }
  }

  /** Whether anybody was ever seen in a group, as far as is known here. */
  async isSeen(group: string): Promise<boolean> {
    if (this.of(group).people.length === 0) await this.#loading
    return this.of(group).people.length > 0
  }

  forget(principal: string): void {
    this.#groups.delete(principal)
  }

  /** Reads who was here before this node was, and elsewhere; and again, from time to time. Who was erased elsewhere is forgotten. */
  load(): Promise<void> {
    const loading = this.#load()
    this.#loading = loading.catch(() => {})
    return loading
  }

  async #load(): Promise<void> {
    this.#stopTimer()
    const { people, clock, isShared } = this.#options
    if (isShared) this.#stopTimer = clock.after(lookEveryMs, () => void this.load().catch(() => {}))
    const before = [...this.#groups.keys()]
    const found: SeenPerson[] = []
    let after: Parameters<People['list']>[0]['after']
    do {
      const page = await people.list({ limit: pagePeople, after })
      found.push(...page.people)
      after = page.next
    } while (after !== undefined && found.length < maxPeople)
    const there = new Set(found.map(({ principal }) => principal))
    // Behind so many there may be more.
    if (after === undefined) for (const principal of before) if (!there.has(principal)) this.forget(principal)
    for (const { principal, groups } of found.reverse())
      this.note({ principal, ...(groups && { groups: [...groups] }) })
  }

  close(): void {
    this.#stopTimer()
    this.#stopTimer = () => {}
  }
}
