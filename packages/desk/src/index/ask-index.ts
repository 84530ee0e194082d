import type { Clock } from 'beckon'
import type { AppendOptions, SetMember, SetPut, Store } from 'beckon/store'
import { OrderedSet } from 'beckon/store/handles'
import type { Happened } from '../model/happened.js'
import type { Ask, Session } from '../model/session.js'
import type { Person } from '../policy/audience.js'
import { EndedNames } from './ended-names.js'
import { memberOf, nameChanges, namesOfOpen, noName, parseMember, sets, staleMs } from './names.js'
import { SetExpiries } from './set-expiries.js'
import { type Token, tokenOfPrincipal, tokensFor } from './tokens.js'

/** A place in a list: behind everything that is at least as new. */
export interface Place {
  readonly at: number
  readonly member: string
}

/** A name of the index. */
export interface Name extends Place {
  readonly session: string
  readonly instance: string
}

/** A name that is new under a token: of an ask that is open, or over. */
export interface NewName extends Name {
  readonly token: Token
  readonly list: 'open' | 'over'
}

export interface AskIndexOptions {
  readonly store: Store
  readonly clock: Clock
  /** This node, as asks name it. */
  readonly node: string
  /** How long what is over is kept. */
  readonly keepMs: number
}

/** More names that go with an append. */
export type MoreNames = (happened: readonly Happened[]) => {
  readonly puts: readonly SetPut[]
  /** Told what became of the append: stored, or refused. Not told where nobody knows. */
  readonly settled?: (isStored: boolean) => void
}

/** What is written before an append. */
export type WriteBefore = (happened: Happened) => Promise<unknown> | undefined

/** Of so many puts to sets, one also looks for what is too old in its set. A prime: asks for two people take turns otherwise. */
const tidyEvery = 47
const tidyAtOnce = 200
/** Others may take a node for gone that is silent for three times as long, and remove what it named. */
const slowMs = 15_000

/** Which asks are open for whom, what is due, and what is over. */
export class AskIndex {
  readonly #options: AskIndexOptions
  readonly #running = new Set<Promise<unknown>>()
  readonly #more = new Set<MoreNames>()
  readonly #writes = new Set<WriteBefore>()
  /** What ended elsewhere, and is waited for here; and the lists of other nodes. */
  readonly ended: EndedNames
  readonly #expiries: SetExpiries
  #puts = 0

  constructor(options: AskIndexOptions) {
    this.#options = options
    this.#expiries = new SetExpiries(options.keepMs)
    this.ended = new EndedNames(options)
  }

  /** This node, as asks name it. */
  get node(): string {
    return this.#options.node
  }

  /** What happens gets these names, too. */
  addNames(names: MoreNames): () => void {
    this.#more.add(names)
    return () => this.#more.delete(names)
  }

  /** What happens is not appended before this is written. */
  addWrites(write: WriteBefore): () => void {
    this.#writes.add(write)
    return () => this.#writes.delete(write)
  }

  /** Runs the append of what happens to a session with the names that it takes, and those that it gives up. */
  async around(
    happened: readonly Happened[],
    append: (names: Pick<AppendOptions, 'puts' | 'removals'>) => Promise<number | undefined>,
  ): Promise<number | undefined> {
    const { clock, keepMs, node } = this.#options
    const changes = nameChanges(happened, { keepMs, node })
    const more = Array.from(this.#more, names => names(happened))
    for (const names of more) changes.put(...names.puts)
    const lists = this.ended.listsFor(changes)
    changes.put(...lists)
    const seen = this.ended.takeSeen()
    for (const member of seen) changes.remove({ set: sets.ended(node), member })
    const { puts: given, removals } = changes.split()
    const puts = this.#expiries.needed(given)
    if (this.#writes.size > 0) for (const one of happened) for (const write of this.#writes) await write(one)
    const began = clock.now()
    let at: number | undefined
    try {
      at = await append({ puts, removals })
    } finally {
      if (at === undefined) this.ended.seen(...seen)
    }
    for (const { settled } of more) settled?.(at !== undefined)
    if (at === undefined) return undefined
    this.ended.listed(lists)
    this.#expiries.stored(puts)
    if (clock.now() - began > slowMs) await this.#putAll(puts)
    for (const { set, expiresAt } of given) if (expiresAt !== undefined) this.#tidy(set)
    return at
  }

  /** What is open in a session may have lost its names: with an end that was stored and then lost, or that is no part of its log. */
  nameAgain(session: Session | undefined): Promise<void> {
    const puts = session === undefined ? [] : [...session.open.values()].flatMap(ask => namesOfOpen(session, ask))
    const named = this.#putAll(puts)
    this.#track(named)
    return named
  }

  /** Names of asks that someone may answer, newest first; the same ask once. */
  open(person: Person, page: { readonly after?: Place | undefined; readonly limit: number }): Promise<Name[]> {
    return this.#newest(
      tokensFor(person).map(token => sets.open(token)),
      page,
    )
  }

  /** Names of asks that ended and that someone might have answered, the last first. */
  over(person: Person, page: { readonly after?: Place | undefined; readonly limit: number }): Promise<Name[]> {
    return this.#newest(
      tokensFor(person).map(token => sets.over(token)),
      page,
    )
  }

  /** Names of asks that were opened or ended under a token since a time, the newest first. */
  async news(token: Token, since: number, limit: number): Promise<NewName[]> {
    const found = await Promise.all(
      (['open', 'over'] as const).map(async list => {
        const names = await this.#set(sets[list](token)).range({ reverse: true, to: since, limit })
        return namesOf(names).map(name => ({ ...name, token, list }))
      }),
    )
    return found.flat()
  }

  /** Sessions that are not calls, and listed for someone, newest first. */
  async sessions(
    person: Person,
    page: { readonly after?: Place | undefined; readonly limit: number },
  ): Promise<Place[]> {
    const lists = await Promise.all(tokensFor(person).map(token => this.#range(sets.sessions(token), page)))
    const found = new Map(lists.flat().map(({ score, member }) => [member, { at: score, member }]))
    return [...found.values()].sort(newestFirst).slice(0, page.limit)
  }

  /** How many sessions are someone's own, or for them by name; no more than `upTo`. */
  countSessions(principal: string, upTo: number): Promise<number> {
    return this.#set(sets.sessions(tokenOfPrincipal(principal))).count({ upTo })
  }

  /** How many asks are open for someone; no more than `upTo`. */
  async countOpen(person: Person, upTo: number): Promise<number> {
    const names = tokensFor(person).map(token => sets.open(token))
    const counts = await Promise.all(names.map(name => this.#set(name).count({ upTo })))
    const used = names.filter((_, index) => (counts[index] ?? 0) > 0)
    if (used.length < 2) return Math.max(0, ...counts)
    // An ask may be under several names.
    return (await this.#newest(used, { limit: upTo })).length
  }

  /** How many asks are open on the desk; no more than `upTo`. */
  countAll(upTo: number): Promise<number> {
    return this.#set(sets.due).count({ upTo })
  }

  /** Names of asks that something is to be done about, up to a time, the most urgent first, page by page. */
  async *due(upTo: number, limit: number): AsyncGenerator<Name[], void, undefined> {
    for await (const page of this.#set(sets.due).pages({ to: upTo, limit })) yield namesOf(page)
  }

  /** When something is next to be done; undefined when nothing is. */
  async nextDue(): Promise<number | undefined> {
    const [first] = await this.#set(sets.due).range({ limit: 1 })
    return first?.score
  }

  /**
   * A name was followed, and this is where it led. One that leads nowhere is removed when it is old; one of an ask that has
   * ended is where a process died between its two writes, and is put right.
   */
  followed(name: Name, tokens: readonly Token[], ask: Ask | undefined): void {
    const { clock, keepMs } = this.#options
    if (clock.now() - Math.min(name.at, clock.now()) < staleMs) return
    const { member, at } = name
    const jobs = tokens.map(token => this.#set(sets.open(token)).remove(member, { if: at }))
    jobs.push(this.#set(sets.due).remove(member))
    const { ending } = ask ?? {}
    if (ask !== undefined && ending !== undefined)
      for (const token of tokens)
        jobs.push(this.#set(sets.over(token)).put(member, ending.at, { expiresAt: clock.now() + 2 * keepMs }))
    this.#track(Promise.all(jobs))
  }

  /** The name of an ask of a session. */
  nameOf(session: Session, ask: Ask): Name {
    const { instance, askedAt: at } = ask
    return { session: session.id, instance, member: memberOf(session.id, ask), at }
  }

  /** Resolves when nothing is left to write. */
  async drained(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async #newest(
    names: readonly string[],
    page: { readonly after?: Place | undefined; readonly limit: number },
  ): Promise<Name[]> {
    const lists = await Promise.all(names.map(set => this.#range(set, page)))
    const found = new Map<string, Name>()
    for (const name of lists.flatMap(namesOf)) found.set(name.member, name)
    return [...found.values()].sort(newestFirst).slice(0, page.limit)
  }

  #range(name: string, { after, limit }: { readonly after?: Place | undefined; readonly limit: number }) {
    const from = after && { score: after.at, member: after.member }
    return this.#set(name).range({ reverse: true, limit, from })
  }

  async #putAll(puts: readonly SetPut[]): Promise<void> {
    await Promise.all(puts.map(({ set, member, score, expiresAt }) => this.#set(set).put(member, score, { expiresAt })))
  }

  /** Of a list that only grows, what is too old goes. */
  #tidy(name: string): void {
    if (++this.#puts % tidyEvery === 0) this.#track(this.#forgetOld(this.#set(name)))
  }

  async #forgetOld(list: OrderedSet): Promise<void> {
    const { clock, keepMs } = this.#options
    await list.removeRead(await list.range({ to: clock.now() - keepMs, limit: tidyAtOnce }))
  }

  #set(name: string): OrderedSet {
    return new OrderedSet(this.#options.store, name)
  }

  #track(job: Promise<unknown>): void {
    const running = job
      .catch(() => {})
      .then(() => {
        this.#running.delete(running)
      })
    this.#running.add(running)
  }
}

/** Newest first; of the same time, in reverse order of their names, as a store reads a set backwards. */
export function newestFirst(a: Place, b: Place): number {
  return b.at - a.at || (a.member < b.member ? 1 : a.member > b.member ? -1 : 0)
}

function namesOf(found: readonly SetMember[]): Name[] {
  return found.flatMap(({ member, score }) => (member === noName ? [] : { member, at: score, ...parseMember(member) }))
}
