// Makes sure that nothing that happened is missing from the audit when a process dies between its append to a session and its
// write to the audit. The session is noted with the append, as the names of the index are; when the node is gone, another one
// makes good from the session's log what the audit does not have.
//
// P1 A session is noted in a set of this node with an append that the audit is to have, and each once a minute.
// P2 A node does not remove its notes one by one. They are in slots of a minute each, which go as a whole once everything of them is
//    written. Who makes good what another one left removes what it has read, and nothing that was noted since.
// P3 An append whose outcome nobody heard of is looked up soon, and once more before its slot goes: it may have been made late.
// P4 A node that showed no sign of life for so long that others may have cleared its slots notes its sessions again.
import type { Clock } from 'beckon'
import type { SetPut, Store } from 'beckon/store'
import { OrderedSet } from 'beckon/store/handles'
import type { MoreNames } from '../index/ask-index.js'
import type { Happened } from '../model/happened.js'
import { isAudited } from './entries.js'
import { auditNames } from './log-names.js'

/** A session that something may be missing of, since a time. */
export interface PendingSession {
  readonly session: string
  readonly since: number
}

interface Noted {
  readonly since: number
  /** The note is known to be in the store. */
  isStored: boolean
}

/** An append that is on its way, or of which nobody knows what became of it. */
interface OpenAppend extends PendingSession {
  readonly slot: number
  readonly beganAt: number
  isLookedUp: boolean
}

export interface PendingOptions {
  readonly store: Store
  readonly node: string
  readonly clock: Clock
  /** Writes everything that waits. */
  readonly flush: () => Promise<void>
  /** Makes good what is missing of sessions. */
  readonly recover: (sessions: readonly PendingSession[]) => Promise<void>
}

export const slots = 3
/** A node that showed no sign of life for so long is gone. */
export const goneMs = 45_000
const slotMs = 60_000
/** An append that takes longer may have no outcome that anybody hears of. */
const doubtfulMs = 10_000

export class Pending {
  readonly #options: PendingOptions
  readonly #nodes: OrderedSet
  readonly #slots: Map<string, Noted>[] = Array.from({ length: slots }, () => new Map())
  readonly #appends = new Set<OpenAppend>()
  #current = 0
  #currentSince = 0
  /** The last sign of life that is in the store. */
  #seenAt = Number.NEGATIVE_INFINITY
  #isRotating = false

  constructor(options: PendingOptions) {
    this.#options = options
    this.#nodes = new OrderedSet(options.store, auditNames.nodes)
  }

  /** The notes that go with an append to a session; none where they are known to be there. */
  notesFor(happened: readonly Happened[]): ReturnType<MoreNames> {
    const audited = happened.filter(({ event }) => isAudited(event))
    const [first] = audited
    if (first === undefined) return { puts: [] }
    const { node, clock } = this.#options
    const { id: session } = first
    const now = clock.now()
    const isLate = this.#checkLate(now)
    const [slot, notes] = [this.#current, this.#notesIn(this.#current)]
    const known = notes.get(session)
    const isNoted = known?.isStored === true
    // One that is noted again has another score: the one that has read the first removes that one alone.
    const before = known === undefined ? Number.POSITIVE_INFINITY : known.since - (isNoted ? 0 : 1)
    const since = Math.min(...audited.map(({ event }) => event.at), before)
    const noted = { since, isStored: isNoted }
    notes.set(session, noted)
    const append = { session, since, slot, beganAt: now, isLookedUp: false }
    this.#appends.add(append)
    const puts: SetPut[] = []
    if (!isNoted) puts.push(this.#notes(slot).putOf(session, since))
    if (isLate) puts.push(this.#nodes.putOf(node, now))
    const settled = (isStored: boolean): void => {
      this.#appends.delete(append)
      if (!isStored) return
      if (!isNoted) noted.isStored = true
      if (isLate) this.#seenAt = Math.max(this.#seenAt, now)
    }
    return { puts, settled }
  }

  /** Shows that this node lives, and clears what is written. */
  async look(): Promise<void> {
    const { node, clock } = this.#options
    if (this.#slots.every(slot => slot.size === 0)) return
    const now = clock.now()
    this.#checkLate(now)
    await this.#nodes.put(node, now)
    this.#seenAt = now
    await this.#lookUp(
      [...this.#appends].filter(({ beganAt, isLookedUp }) => !isLookedUp && now - beganAt >= doubtfulMs),
    )
    if (now - this.#currentSince >= slotMs) await this.#rotate(now)
  }

  /** Everything is written: this node leaves nothing behind. */
  async close(): Promise<void> {
    const { node, flush } = this.#options
    await flush()
    for (const index of this.#slots.keys()) await this.#clear(index)
    await this.#nodes.remove(node)
  }

  /** Whether others may take this node for gone: then nothing of what it stored counts. */
  #checkLate(now: number): boolean {
    const isLate = now - this.#seenAt > goneMs / 2
    if (isLate) for (const slot of this.#slots) for (const noted of slot.values()) noted.isStored = false
    return isLate
  }

  /** The next slot was in use two minutes ago, and for nothing since. */
  async #rotate(now: number): Promise<void> {
    if (this.#isRotating) return
    this.#isRotating = true
    try {
      const next = (this.#current + 1) % slots
      await this.#options.flush()
      await this.#clear(next)
      this.#current = next
      this.#currentSince = now
    } finally {
      this.#isRotating = false
    }
  }

  async #clear(index: number): Promise<void> {
    const notes = this.#notesIn(index)
    if (notes.size === 0) return
    const open = [...this.#appends].filter(({ slot }) => slot === index)
    await this.#lookUp(open)
    await this.#notes(index).clear()
    notes.clear()
    for (const append of open) this.#appends.delete(append)
  }

  /** Has what was appended in the audit, whatever became of the append. */
  async #lookUp(appends: readonly OpenAppend[]): Promise<void> {
    if (appends.length === 0) return
    await this.#options.recover(appends)
    for (const append of appends) append.isLookedUp = true
  }

  #notes(slot: number): OrderedSet {
    const { store, node } = this.#options
    return new OrderedSet(store, auditNames.pending(node, slot))
  }

  #notesIn(slot: number): Map<string, Noted> {
    const notes = this.#slots[slot]
    if (notes === undefined) throw new RangeError(`There is no slot ${slot}.`)
    return notes
  }
}
