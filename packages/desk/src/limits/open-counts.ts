// How many asks of programs are open, over all nodes, without a name for each: every node keeps what was opened there less what
// ended there, as scores in an ordered set, and the sum over all nodes is how many there are. A score of one node alone may be
// below zero.
//
// C1 Counts are in buckets by when asks expire, an hour each in the next day and a day each after it, so that they are few whatever
//    a server asks for. A bucket that is over counts no more: what a node did not write
//    before it died, or wrote without hearing so, is forgotten with the asks that it was about.
// C2 A node writes what changed within a second, and at once where somebody near a bound waits for it. What was opened and ended
//    in between is never written, and what is written is not kept in memory.
import { SerialQueue } from '@beckon/core'
import type { Clock } from 'beckon'
import type { SetMember, Store } from 'beckon/store'
import { OrderedSet } from 'beckon/store/handles'
import { type Token, tokensOfAsker } from '../index/tokens.js'
import type { Happened } from '../model/happened.js'
import type { Ask, Session } from '../model/session.js'

export interface OpenCountsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly node: string
}

const hourMs = 60 * 60 * 1000
const writeAfterMs = 1_000
const dayMs = 24 * hourMs
const pageMembers = 1_000

export class OpenCounts {
  readonly #options: OpenCountsOptions
  /** What is not in the store yet: by token, then by when the hour ends. */
  readonly #changes = new Map<Token, Map<number, number>>()
  #stopTimer: (() => void) | undefined
  /** One after the other: so what is read is before a write, or after it. */
  readonly #writes = new SerialQueue()

  constructor(options: OpenCountsOptions) {
    this.#options = options
  }

  /** Something happened to a session, and was written here. */
  happened({ before, after }: Pick<Happened, 'before' | 'after'>): void {
    if (before?.open === after?.open) return
    if (after) for (const ask of after.open.values()) if (!isSame(before, ask)) this.#add(after, ask, 1)
    if (before) for (const ask of before.open.values()) if (!isSame(after, ask)) this.#add(before, ask, -1)
  }

  /** How many are open under a token, with what is only known here. */
  count(token: Token): Promise<number> {
    return this.#writes.run(async () => {
      const { clock } = this.#options
      const set = this.#setOf(token)
      const members = await membersOf(set)
      const isOver = (end: number) => end <= clock.now()
      const over = members.filter(({ member }) => isOver(endOf(member)))
      await Promise.all(over.map(({ member }) => set.remove(member)))
      const stored = members.filter(({ member }) => !isOver(endOf(member))).map(({ score }) => score)
      const changes = [...(this.#changes.get(token) ?? [])].filter(([end]) => !isOver(end)).map(([, by]) => by)
      return Math.max(0, sum([...stored, ...changes]))
    })
  }

  /** Resolves when others know how many are open under a token, as far as it is known here now. */
  async written(token: Token): Promise<void> {
    await this.#writes.run(() => this.#write(token))
  }

  async close(): Promise<void> {
    this.#stopTimer?.()
    await this.#writes.run(() => this.#writeAll())
  }

  #add({ server }: Pick<Session, 'server'>, { caller, policy, askedAt }: Ask, by: 1 | -1): void {
    if (caller === undefined) return
    const { expiresAt } = policy
    const bucketMs = expiresAt - askedAt > dayMs ? dayMs : hourMs
    const end = Math.ceil(expiresAt / bucketMs) * bucketMs
    for (const token of tokensOfAsker(server, caller)) {
      const changes = this.#changes.get(token) ?? new Map<number, number>()
      const change = (changes.get(end) ?? 0) + by
      if (change === 0) changes.delete(end)
      else changes.set(end, change)
      if (changes.size === 0) this.#changes.delete(token)
      else this.#changes.set(token, changes)
    }
    this.#stopTimer ??= this.#options.clock.after(writeAfterMs, () => {
      this.#stopTimer = undefined
      void this.#writes.run(() => this.#writeAll())
    })
  }

  async #writeAll(): Promise<void> {
    await Promise.all(Array.from(this.#changes.keys(), token => this.#write(token)))
  }

  async #write(token: Token): Promise<void> {
    const changes = this.#changes.get(token)
    if (changes === undefined) return
    const { node } = this.#options
    const set = this.#setOf(token)
    this.#changes.delete(token)
    try {
      const members = await membersOf(set)
      for (const [end, by] of [...changes]) {
        const member = `${node}/${end / hourMs}`
        const count = by + (members.find(known => known.member === member)?.score ?? 0)
        if (count === 0) await set.remove(member)
        else await set.put(member, count)
        changes.delete(end)
      }
    } catch {
      // The store is away: it is tried again with what happens next.
      const since = this.#changes.get(token) ?? new Map<number, number>()
      for (const [end, by] of changes) since.set(end, (since.get(end) ?? 0) + by)
      this.#changes.set(token, since)
    }
  }

  #setOf(token: Token): OrderedSet {
    return new OrderedSet(this.#options.store, `from/${token}`)
  }
}

/** All of them: some are below zero, and these are read first. */
async function membersOf(set: OrderedSet): Promise<SetMember[]> {
  const members: SetMember[] = []
  for await (const page of set.pages({ limit: pageMembers })) members.push(...page)
  return members
}

function isSame(session: Session | undefined, { id, instance }: Ask): boolean {
  return session?.open.get(id)?.instance === instance
}

/** When the hour of a member ends. */
function endOf(member: string): number {
  return Number(member.slice(member.lastIndexOf('/') + 1)) * hourMs
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0)
}
