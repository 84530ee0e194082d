import { digest } from '../crypto/digest.js'
import { randomId } from '../crypto/random-id.js'
import type { Clock } from '../runtime/clock.js'
import { Cell, OrderedSet } from '../store/handles/index.js'
import type { AppendOptions, SetMember, SetPut, Store, Version } from '../store/index.js'
import { IdBlock, idsOf, isTag, tagOf } from './id-block.js'
import type { CallState } from './reduce.js'

/**
 * Which durable calls a node runs, so that others find them when it died: by the block that a call's id is of, which was there
 * before the call; or by a name of its own, from the event that makes it this node's to the one that ends it. They are named as
 * their logs are: an id opens something, and a name does not tell it.
 */
export class OwnedCalls {
  readonly #store: Store
  readonly #node: { readonly id: string }
  readonly #clock: Clock
  /** What is named, or about to be: blocks by their tags, and calls with names of their own. */
  readonly #named = new Map<string, Named>()
  /** Of the calls that are found by a block. */
  readonly #blockOf = new Map<string, IdBlock>()
  #block: IdBlock | undefined
  #nextBlock: IdBlock | undefined
  #isNaming = false
  #secret: string | undefined
  #lastScore = Number.NEGATIVE_INFINITY

  constructor(store: Store, node: { readonly id: string }, clock: Clock) {
    this.#store = store
    this.#node = node
    this.#clock = clock
  }

  /** An id for a call that may become durable. */
  nextId(): string {
    const id = this.#block?.next()
    if (id !== undefined) return id
    if (this.#block !== undefined) this.#dropIfOver(this.#block)
    this.#block = this.#nextBlock
    this.#nextBlock = undefined
    return this.#block?.next() ?? randomId()
  }

  /** What changes with an append to the log of a call. */
  changes(name: string, before: CallState, after: CallState): Pick<AppendOptions, 'puts' | 'removals'> | undefined {
    const isOwn = this.#isOwn(after)
    if (this.#isOwn(before) === isOwn) return undefined
    if (isOwn) return this.#isFoundByBlock(name, before, after) ? undefined : { puts: [this.#nameAnew(name)] }
    if (this.#blockOf.has(name)) return undefined
    const named = this.#named.get(name)
    if (named !== undefined) named.goesWithAppend = true
    return { removals: [this.#own.removalOf(name)] }
  }

  /** That append was made. */
  changed(name: string, before: CallState, after: CallState): void {
    if (!this.#isOwn(before) || this.#isOwn(after)) return
    this.#leaveBlock(name)
    // One that got its name while the append was on its way still has it.
    if (this.#named.get(name)?.goesWithAppend) this.#named.delete(name)
  }

  /** A call no longer belongs to this node, whichever process runs it now. It may come back meanwhile, under a later name. */
  async remove(name: string): Promise<void> {
    this.#leaveBlock(name)
    const named = this.#named.get(name)
    if (named === undefined) return
    let score: number
    do {
      score = named.score
      await this.#own.remove(name, { if: score })
    } while (named.score !== score)
    if (this.#named.get(name) === named) this.#named.delete(name)
  }

  /** Writes all of them again, later than before: others took this node for dead, and may be clearing them away. */
  async rewrite(): Promise<void> {
    const secret = this.#secret
    // Also where it is there: who removes what it was does nothing then.
    if (secret !== undefined) await this.#secretOf(this.#node.id).update(() => ({ value: secret, result: undefined }))
    await Promise.all(Array.from(this.#named, ([member, named]) => this.#put(member, named)))
  }

  /** Some of what another node has named, the oldest first. */
  of(node: string, limit: number): Promise<SetMember[]> {
    return this.#of(node).range({ limit })
  }

  /** The names of the calls that are found by what another node has named: of a block, also of those that never were. */
  async namesOf(node: string, { member }: SetMember): Promise<string[]> {
    if (!isTag(member)) return [member]
    const secret = await this.#secretOf(node).get()
    return secret === undefined ? [] : idsOf(secret, member).map(digest)
  }

  /** The calls of another node were seen to; unless that node has written them again since. */
  async done(node: string, { member, score }: SetMember): Promise<void> {
    await this.#of(node).remove(member, { if: score })
  }

  /** Which secret another node had, for `forget`. */
  async secretOf(node: string): Promise<Version | undefined> {
    return (await this.#secretOf(node).read())?.version
  }

  /** A node that died has left nothing; unless it came back since. */
  async forget(node: string, version: Version): Promise<void> {
    await this.#secretOf(node).removeAt(version)
  }

  /** Of each write another, so that what removes one leaves those that came after it. */
  #nextScore(): number {
    this.#lastScore = Math.max(this.#clock.now(), this.#lastScore + 1)
    return this.#lastScore
  }

  get #own(): OrderedSet {
    return this.#of(this.#node.id)
  }

  #of(node: string): OrderedSet {
    return new OrderedSet(this.#store, `calls of ${node}`)
  }

  /** What the ids of a node are made with. */
  #secretOf(node: string): Cell<string> {
    return new Cell(this.#store, `ids of ${node}`)
  }

  #isOwn({ record, owner, end }: CallState): boolean {
    return record !== undefined && end === undefined && owner?.node === this.#node.id
  }

  /** Whether a call that begins needs no name of its own. */
  #isFoundByBlock(name: string, before: CallState, { record }: CallState): boolean {
    // One that was taken over has its id from another node.
    if (before.record !== undefined || record === undefined) return false
    const block = this.#named.get(tagOf(record.id))?.block
    if (this.#nextBlock === undefined && (this.#block === undefined || this.#block.isHalfDrawn)) void this.#nameBlock()
    if (block === undefined) return false
    block.names.add(name)
    this.#blockOf.set(name, block)
    return true
  }

  /** Names the next block, to be there when it is needed: until then calls have names of their own. */
  async #nameBlock(): Promise<void> {
    if (this.#isNaming) return
    this.#isNaming = true
    let tag = ''
    try {
      this.#secret ??= await this.#makeSecret()
      const block = new IdBlock(this.#secret)
      tag = block.tag
      await this.#name(tag, block)
      this.#nextBlock = block
    } catch {
      // With the next call it is tried again.
      this.#named.delete(tag)
    } finally {
      this.#isNaming = false
    }
  }

  /** An earlier write of it may have seemed to fail, and be there or still come: the first one counts. */
  #makeSecret(): Promise<string> {
    const made = randomId()
    return this.#secretOf(this.#node.id).update((known = made) => ({ value: known, result: known }))
  }

  /** What gives a call a name of its own. One that comes back has lost what it had here. */
  #nameAnew(name: string): SetPut {
    this.#leaveBlock(name)
    const score = this.#nextScore()
    this.#named.set(name, { score, goesWithAppend: false })
    return this.#own.putOf(name, score)
  }

  #leaveBlock(name: string): void {
    const block = this.#blockOf.get(name)
    if (block === undefined) return
    this.#blockOf.delete(name)
    block.names.delete(name)
    this.#dropIfOver(block)
  }

  #dropIfOver({ isNearlyOver, tag, names }: IdBlock): void {
    // A call that begins with one of its ids after this has a name of its own, as those have that are left.
    if (!isNearlyOver || !this.#named.delete(tag)) return
    const named = Array.from(names, name => {
      this.#blockOf.delete(name)
      return this.#name(name)
    })
    Promise.all(named)
      .then(() => this.#own.remove(tag))
      .catch(() => {})
  }

  /** Names a block, or a call, by itself. */
  #name(member: string, block?: IdBlock): Promise<void> {
    const named: Named = { score: 0, goesWithAppend: false, block }
    this.#named.set(member, named)
    return this.#put(member, named)
  }

  /** A call may end, or go, before its name is there. */
  async #put(member: string, named: Named): Promise<void> {
    const score = this.#nextScore()
    named.score = score
    await this.#own.put(member, score)
    if (this.#named.get(member) !== named) await this.#own.remove(member, { if: score })
  }
}

/** How a name was written. */
interface Named {
  score: number
  /** Whether an append that is on its way removes it. */
  goesWithAppend: boolean
  /** Where it is that of a block. */
  readonly block?: IdBlock | undefined
}
