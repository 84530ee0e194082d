// How many asks of programs are open, over all nodes, without a name for each: every node keeps what was opened there less what
// ended there, as scores in an ordered set, and the sum over all nodes is how many there are. A score of one node alone may be
// below zero.
//
// C1 Counts are in buckets by the hour in which asks expire, and a bucket that is over counts no more: what a node did not write
//    before it died is forgotten with the asks that it was about.
// C2 A node writes what changed within a second, and at once where somebody near a bound waits for it. What was opened and ended
//    in between is never written.
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import { type Token, tokensOfAsker } from '../index/tokens.js'
import type { Happened } from '../model/happened.js'
import type { Ask, Session } from '../model/session.js'

export interface OpenCountsOptions {
  readonly store: Store
  /** What stands before every name in the store. */
  readonly name: string
  readonly clock: Clock
  readonly node: string
}

/** What was opened here less what ended here, of what expires in an hour. */
interface Bucket {
  count: number
  /** As it is in the store. */
  stored: number
}

const hourMs = 60 * 60 * 1000
const writeAfterMs = 1_000
/** Nodes times hours: more than that nobody adds up. */
const maxMembers = 10_000

export class OpenCounts {
  readonly #options: OpenCountsOptions
  /** By token, then by when the hour ends. */
  readonly #own = new Map<Token, Map<number, Bucket>>()
  /** Those of which something is not in the store yet. */
  readonly #changed = new Set<Token>()
  #stopTimer: (() => void) | undefined
  #writing: Promise<unknown> = Promise.resolve()

  constructor(options: OpenCountsOptions) {
    this.#options = options
  }

  /** Something happened to a session, and was written here. */
  happened({ before, after }: Pick<Happened, 'before' | 'after'>): void {
    if (before?.open === after?.open) return
    for (const ask of after?.open.values() ?? []) if (!isSame(before, ask)) this.#add(after, ask, 1)
    for (const ask of before?.open.values() ?? []) if (!isSame(after, ask)) this.#add(before, ask, -1)
  }

  /** How many are open under a token, with what is only known here. */
  async count(token: Token): Promise<number> {
    const { store, clock, node } = this.#options
    const set = this.#setOf(token)
    const members = await store.range(set, { limit: maxMembers })
    const over = members.filter(({ member }) => bucketOf(member) <= clock.now())
    if (over.length > 0) void Promise.all(over.map(({ member }) => store.remove(set, member))).catch(() => {})
    const elsewhere = members.filter(({ member }) => bucketOf(member) > clock.now() && nodeOf(member) !== node)
    const own = [...(this.#own.get(token) ?? [])].filter(([bucket]) => bucket > clock.now())
    const sum = [...elsewhere.map(({ score }) => score), ...own.map(([, { count }]) => count)].reduce(
      (a, b) => a + b,
      0,
    )
    return Math.max(0, sum)
  }

  /** Resolves when others know how many are open under a token, as far as it is known here now. */
  async written(token: Token): Promise<void> {
    if (this.#changed.has(token)) await this.#write([token])
    else await this.#writing
  }

  async close(): Promise<void> {
    this.#stopTimer?.()
    await this.#write([...this.#changed])
  }

  #add({ server }: Pick<Session, 'server'> = { server: '' }, { caller, policy }: Ask, by: 1 | -1): void {
    if (caller === undefined) return
    const bucket = Math.ceil(policy.expiresAt / hourMs) * hourMs
    for (const token of tokensOfAsker(server, caller)) {
      const buckets = this.#own.get(token) ?? new Map<number, Bucket>()
      const known = buckets.get(bucket) ?? { count: 0, stored: 0 }
      known.count += by
      this.#own.set(token, buckets.set(bucket, known))
      this.#changed.add(token)
    }
    this.#stopTimer ??= this.#options.clock.after(writeAfterMs, () => {
      this.#stopTimer = undefined
      void this.#write([...this.#changed])
    })
  }

  #write(tokens: readonly Token[]): Promise<unknown> {
    // One after the other: the last that is written is the last that is known.
    this.#writing = this.#writing.then(() => Promise.all(tokens.map(token => this.#writeToken(token))))
    return this.#writing
  }

  async #writeToken(token: Token): Promise<void> {
    const buckets = this.#own.get(token)
    if (buckets === undefined || !this.#changed.delete(token)) return
    try {
      await Promise.all(Array.from(buckets, ([end, bucket]) => this.#writeBucket(token, end, bucket)))
    } catch {
      // The store is away: it is tried again with what happens next.
      this.#changed.add(token)
    }
    for (const [end, { count, stored }] of buckets)
      if ((count === 0 && stored === 0) || end <= this.#options.clock.now()) buckets.delete(end)
    if (buckets.size === 0) this.#own.delete(token)
  }

  async #writeBucket(token: Token, end: number, bucket: Bucket): Promise<void> {
    const { store, node } = this.#options
    const { count } = bucket
    if (count === bucket.stored) return
    const member = `${node}/${end / hourMs}`
    if (count === 0) await store.remove(this.#setOf(token), member)
    else await store.put(this.#setOf(token), member, count)
    bucket.stored = count
  }

  #setOf(token: Token): string {
    return `${this.#options.name}/from/${token}`
  }
}

function isSame(session: Session | undefined, { id, instance }: Ask): boolean {
  return session?.open.get(id)?.instance === instance
}

function nodeOf(member: string): string {
  return member.slice(0, member.lastIndexOf('/'))
}

function bucketOf(member: string): number {
  return Number(member.slice(member.lastIndexOf('/') + 1)) * hourMs
}
