// The processes that share a store, and which of them are alive. A node writes a number that grows with each heartbeat; others
// that have seen the same number for the length of a lease, by their own clock, take that node for dead. So clocks that
// disagree do no harm. A node that was only slow can be taken for dead, too: what it writes afterwards is refused by the logs
// it writes to.
import { CallCancelledError } from '@beckon/core'
import { randomId } from '../crypto/random-id.js'
import type { Clock } from '../runtime/clock.js'
import { OrderedSet } from '../store/handles/index.js'
import type { Store } from '../store/index.js'

export interface NodesOptions {
  /** That of one server: what a node leaves is for the others of it. */
  store: Store
  clock: Clock
  /** How long a node may be silent. */
  leaseMs: number
}

/** Takes over what a node had that died. True when nothing is left to do. */
export type TakeOver = (node: string) => Promise<boolean>

/** More than share a store: those that died are cleared away by the others. */
const maxNodes = 10_000

export class Nodes {
  #id: string | undefined
  readonly #options: NodesOptions
  /** The last heartbeat of each. */
  readonly #known: OrderedSet
  readonly #seen = new Map<string, { heartbeat: number; at: number }>()
  readonly #onDeath: TakeOver[] = []
  readonly #onHeartbeat: (() => Promise<unknown>)[] = []
  readonly #onReturn: (() => Promise<unknown>)[] = []
  #undone: (() => Promise<unknown>)[] = []
  #joining: Promise<void> | undefined
  #stopTimer: (() => void) | undefined
  #chores: Promise<void> | undefined
  #isClosed = false
  #isAlone = false
  #heartbeats = 0
  /** The last one that was stored, and when it was sent. */
  #last = 0
  #lastAt = Number.NEGATIVE_INFINITY
  #epoch = 0
  /** How often this node came back, and how often what that asks for was done. */
  #returns = 0
  #returned = 0

  constructor(options: NodesOptions) {
    this.#options = options
    this.#known = new OrderedSet(options.store, 'nodes')
  }

  /** Made when it is first asked for: some runtimes have no randomness while modules are loaded. */
  get id(): string {
    this.#id ??= randomId()
    return this.#id
  }

  /** Makes this node known to the others. Without a shared store there are none. */
  join(): Promise<void> | undefined {
    if (!this.#options.store.shared) return undefined
    this.#joining ??= this.#join().catch(error => {
      this.#joining = undefined
      throw error
    })
    return this.#joining
  }

  /** Whether a node was heard of within its lease. */
  async isAlive(node: string): Promise<boolean> {
    if (node === this.id) return !this.#isClosed
    return this.#isHeardOf(node, await this.#all())
  }

  /** Whether the others cannot take this node for dead yet. Without a shared store there are no others. */
  get isFresh(): boolean {
    const { store, clock, leaseMs } = this.#options
    if (!store.shared) return true
    const since = clock.now() - this.#lastAt
    // A clock that was set back says nothing.
    return since >= 0 && since < (leaseMs * 2) / 3
  }

  /** Grows when the others may have taken this node for dead since its last heartbeat: what it knew before may be another's by now. */
  get epoch(): number {
    return this.#epoch
  }

  /** Whether no other node was there with the last heartbeat. What one does that has come since is known by hints alone. */
  get isAlone(): boolean {
    return this.#isAlone
  }

  /**
   * Resolves when the others cannot have taken this node for dead without its knowing, up to now.
   * @throws CallCancelledError once it has closed: what it had may be another's, and what it writes now, nobody's
   */
  async stayKnown(): Promise<void> {
    if (!this.#isClosed && !this.isFresh) await this.#heartbeat()
    if (this.#isClosed) throw new CallCancelledError('The server has closed.')
  }

  /** Whether a node that was taken for dead has not come back: once it has, what it named is its own again. */
  isStillGone(node: string): Promise<boolean> {
    return this.#known.put(node, closed, { if: closed })
  }

  /** Has what a dead node left taken over. */
  onDeath(takeOver: TakeOver): void {
    this.#onDeath.push(takeOver)
  }

  /** Does something when this node was taken for dead, and was only slow. */
  onReturn(task: () => Promise<unknown>): void {
    this.#onReturn.push(task)
  }

  /** Does something with every heartbeat, bounded. */
  onHeartbeat(task: () => Promise<unknown>): void {
    this.#onHeartbeat.push(task)
  }

  /** Tries something with every heartbeat until it succeeds: for what must not be left undone while the store is away. */
  async retryUntilStored(attempt: () => Promise<unknown>): Promise<void> {
    try {
      await attempt()
    } catch {
      this.#undone.push(attempt)
      this.#arm()
    }
  }

  /** Leaves at once what this node has to the next one. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopTimer?.()
    const joining = this.#joining
    this.#joining = undefined
    if (joining === undefined) return
    // Without a heartbeat it is dead; the others take over what it had, and clear it away.
    await joining.then(() => this.#known.put(this.id, closed)).catch(() => {})
  }

  async #join(): Promise<void> {
    await this.#heartbeat()
    await this.#all()
    this.#arm()
  }

  #arm(): void {
    if (this.#isClosed || this.#stopTimer !== undefined || !this.#options.store.shared) return
    const { clock, leaseMs } = this.#options
    // Three in a lease: one may be late.
    this.#stopTimer = clock.after(leaseMs / 3, () => void this.#tick())
  }

  async #tick(): Promise<void> {
    // What is done with each heartbeat may take longer than a lease: no heartbeat waits for it.
    this.#chores ??= this.#doChores().finally(() => {
      this.#chores = undefined
    })
    // A heartbeat that fails is missed by the others, as it should be.
    await this.#heartbeat().catch(() => {})
    this.#stopTimer = undefined
    this.#arm()
  }

  async #doChores(): Promise<void> {
    const undone = this.#undone
    this.#undone = []
    await Promise.all(undone.map(attempt => this.retryUntilStored(attempt)))
    if (this.#isClosed) return
    await this.#takeOver().catch(() => {})
    for (const task of this.#onHeartbeat) await task().catch(() => {})
  }

  async #heartbeat(): Promise<void> {
    const now = this.#options.clock.now()
    const before = this.#heartbeats
    const number = before + 1
    const isFirst = this.#last === 0
    this.#heartbeats = number
    const isKnown = await this.#known.put(this.id, number, isFirst ? {} : { if: before })
    if (!isKnown) {
      this.#returns++
      await this.#known.put(this.id, this.#heartbeats)
    }
    // Nobody counts on this node before that is done: nor after another heartbeat meanwhile, or where it failed before.
    if (this.#returned < this.#returns) await this.#return()
    // Judged by the last one, now that this one is there: it may have been long on its way, and calls taken meanwhile.
    if (!isKnown || !this.isFresh) this.#epoch++
    // One that was long on its way is not the last one.
    if (number < this.#last) return
    this.#last = number
    this.#lastAt = now
  }

  /** The others may have taken this node for dead, and what it had for theirs; or a heartbeat that seemed to fail was heard. */
  async #return(): Promise<void> {
    const returns = this.#returns
    await Promise.all(this.#onReturn.map(task => task()))
    this.#returned = Math.max(this.#returned, returns)
  }

  async #takeOver(): Promise<void> {
    const all = await this.#all()
    for (const [node, heartbeat] of all) {
      if (node === this.id || this.#isHeardOf(node, all)) continue
      // A node that is only slow learns of this with its next heartbeat, however many of its calls were taken over by then.
      if (heartbeat !== closed && !(await this.#known.put(node, closed, { if: heartbeat }))) continue
      // What cannot be taken over of one of them keeps nobody from the others.
      const done = await Promise.all(this.#onDeath.map(takeOver => takeOver(node).catch(() => false)))
      if (!done.every(Boolean)) continue
      // It may have come back meanwhile.
      if (await this.#known.remove(node, { if: closed })) this.#seen.delete(node)
    }
  }

  async #all(): Promise<ReadonlyMap<string, number>> {
    const members = await this.#known.range({ limit: maxNodes })
    this.#isAlone = members.every(({ member }) => member === this.id)
    return new Map(members.map(({ member, score }) => [member, score]))
  }

  #isHeardOf(node: string, all: ReadonlyMap<string, number>): boolean {
    const heartbeat = all.get(node)
    if (heartbeat === undefined || heartbeat === closed) return false
    const seen = this.#seen.get(node)
    const now = this.#options.clock.now()
    if (seen?.heartbeat === heartbeat) return now - seen.at < this.#options.leaseMs
    this.#seen.set(node, { heartbeat, at: now })
    return true
  }
}

/** In place of a heartbeat, of a node that has closed or was taken for dead. */
const closed = -1
