import type { SetPut, SetRemoval } from 'beckon/store'
import { OrderedSet } from 'beckon/store/handles'
import type { AskIndexOptions, Name } from './ask-index.js'
import { parseMember, sets } from './names.js'

const hourMs = 60 * 60 * 1000
/** A name is of no use so long after its ask has ended. */
const oldMs = 24 * hourMs
/** A list is listed so often; nobody counts on it for twice as long. */
const listEveryMs = hourMs
const prefix = sets.ended('')
/** Removals that go with one append. */
const maxWithAppend = 50
const pageNames = 200
const maxPages = 500
/** Nodes whose lists are known to be listed. */
const maxListed = 1_000

/** The lists that nodes have of asks which ended elsewhere, and which somebody waits for there. */
export class EndedNames {
  readonly #options: AskIndexOptions
  /** Those in this node's list that were seen, and are to be removed. */
  readonly #seen = new Set<string>()
  /** When the lists of other nodes were listed from here. */
  readonly #listedAt = new Map<string, number>()

  constructor(options: AskIndexOptions) {
    this.#options = options
  }

  /** Lists of other nodes are to be listed before anything is put there. */
  listsFor(changes: Iterable<SetPut | SetRemoval>): SetPut[] {
    const now = this.#options.clock.now()
    const lists = new Map<string, SetPut>()
    for (const change of changes) {
      if (!('score' in change) || !change.set.startsWith(prefix)) continue
      const node = change.set.slice(prefix.length)
      if (now - (this.#listedAt.get(node) ?? Number.NEGATIVE_INFINITY) >= listEveryMs)
        lists.set(node, { set: sets.waiting, member: node, score: now })
    }
    return [...lists.values()]
  }

  /** An append succeeded that had these with it. */
  listed(puts: readonly SetPut[]): void {
    if (this.#listedAt.size > maxListed) this.#listedAt.clear()
    for (const { member, score } of puts) this.#listedAt.set(member, score)
  }

  /** Names in this node's list, the oldest first, page by page. */
  async *pages(limit: number): AsyncGenerator<Name[], void, undefined> {
    for await (const page of this.#listOf(this.#options.node).pages({ limit }))
      yield page.map(({ member, score }) => ({ member, at: score, ...parseMember(member) }))
  }

  /** Names in this node's list that nobody needs any more: they go with the next append, or when it is asked for. */
  seen(...members: readonly string[]): void {
    for (const member of members) this.#seen.add(member)
  }

  /** The log of a session lost something: what ended in it may end again. */
  unsee(session: string): void {
    for (const member of this.#seen) if (parseMember(member).session === session) this.#seen.delete(member)
  }

  get hasSeen(): boolean {
    return this.#seen.size > 0
  }

  isSeen(member: string): boolean {
    return this.#seen.has(member)
  }

  /** Takes names that are to be removed with an append. */
  takeSeen(): string[] {
    const taken: string[] = []
    for (const member of this.#seen) {
      if (taken.length === maxWithAppend) break
      this.#seen.delete(member)
      taken.push(member)
    }
    return taken
  }

  /** Removes what no append took along. */
  async removeSeen(): Promise<void> {
    await this.#remove(this.#listOf(this.#options.node), [...this.#seen])
  }

  /** Removes what is old in any list: its node did not live to see it. */
  async forgetOld(): Promise<void> {
    const { store, clock } = this.#options
    const now = clock.now()
    const waiting = new OrderedSet(store, sets.waiting)
    const lists = await waiting.range({ to: now - 2 * listEveryMs, limit: pageNames })
    for (const { member: node, score } of lists)
      if (await this.#isEmptied(this.#listOf(node), now - oldMs)) await waiting.remove(node, { if: score })
  }

  /** Removes what is older than a time. True when nothing is left. */
  async #isEmptied(list: OrderedSet, before: number): Promise<boolean> {
    for (let page = 0; page < maxPages; page++) {
      const names = await list.range({ limit: pageNames })
      const old = names.filter(({ score }) => score < before).map(({ member }) => member)
      await this.#remove(list, old)
      if (old.length < pageNames) return old.length === names.length
    }
    return false
  }

  async #remove(list: OrderedSet, members: readonly string[]): Promise<void> {
    await Promise.all(members.map(member => list.remove(member)))
    for (const member of members) this.#seen.delete(member)
  }

  #listOf(node: string): OrderedSet {
    return new OrderedSet(this.#options.store, sets.ended(node))
  }
}
