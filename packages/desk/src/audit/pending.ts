// Makes sure that nothing that happened is missing from the audit when a process dies between its append to a session and its
// write to the audit. The session is noted with the append, as the names of the index are; when the node is gone, another one
// makes good from the session's log what the audit does not have.
//
// P1 A session is noted in a set of this node with an append that the audit is to have, and each once a minute.
// P2 A node does not remove its notes one by one. They are in slots of a minute each, which go as a whole once everything of them is
//    written. Who makes good what another one left removes what it has read, and nothing that was noted since.
// P3 An append whose outcome nobody heard of is looked up before its slot goes.
// P4 A node that showed no sign of life for so long that others may have cleared its slots notes its sessions again.
import type { Clock } from 'beckon'
import type { SetPut, Store } from 'beckon/store'
import type { SessionEvent } from '../model/events.js'
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
  /** An append is on its way, or nobody knows what became of it. */
  isOutstanding: boolean
}

export interface PendingOptions {
  readonly store: Store
  readonly name: string
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

export class Pending {
  readonly #options: PendingOptions
  readonly #slots: Map<string, Noted>[] = Array.from({ length: slots }, () => new Map())
  #current = 0
  #currentSince = 0
  /** The last sign of life that is in the store. */
  #seenAt = Number.NEGATIVE_INFINITY
  /** The sign of life that goes with notes. */
  #registeringAt = Number.NEGATIVE_INFINITY
  #isRotating = false

  constructor(options: PendingOptions) {
    this.#options = options
  }

  /** The notes that go with an append of events to a session; none where they are known to be there. */
  notesFor(session: string, events: readonly SessionEvent[]): SetPut[] {
    const { node } = this.#options
    const times = events.filter(isAudited).map(({ at }) => at)
    if (times.length === 0) return []
    const now = this.#options.clock.now()
    if (this.#checkLate(now)) this.#registeringAt = now
    const slot = this.#slots[this.#current]
    const noted = slot?.get(session)
    const since = Math.min(...times, noted?.since ?? Number.POSITIVE_INFINITY)
    const isStored = noted?.isStored === true
    slot?.set(session, { since, isStored, isOutstanding: true })
    if (isStored) return []
    const note = { set: auditNames.pending(node, this.#current), member: session, score: since }
    const isRegistering = this.#registeringAt > this.#seenAt
    return isRegistering ? [note, { set: auditNames.nodes, member: node, score: this.#registeringAt }] : [note]
  }

  /** What happened to a session was written, and is with what waits for the audit. */
  happened(session: string): void {
    this.#seenAt = Math.max(this.#seenAt, this.#registeringAt)
    for (const slot of this.#slots) {
      const noted = slot.get(session)
      if (noted === undefined) continue
      noted.isStored = true
      noted.isOutstanding = false
    }
  }

  /** Shows that this node lives, and clears what is written. */
  async look(): Promise<void> {
    const { store, name, node, clock } = this.#options
    if (this.#slots.every(slot => slot.size === 0)) return
    const now = clock.now()
    this.#checkLate(now)
    await store.put(`${name}/${auditNames.nodes}`, node, now)
    this.#seenAt = now
    if (now - this.#currentSince >= slotMs) await this.#rotate(now)
  }

  /** Everything is written: this node leaves nothing behind. */
  async close(): Promise<void> {
    const { store, name, node, flush } = this.#options
    await flush()
    for (const index of this.#slots.keys()) await this.#clear(index)
    await store.remove(`${name}/${auditNames.nodes}`, node)
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
    const { store, name, node, recover } = this.#options
    const slot = this.#slots[index]
    if (slot === undefined || slot.size === 0) return
    const doubtful = [...slot].filter(([, { isOutstanding }]) => isOutstanding)
    if (doubtful.length > 0) await recover(doubtful.map(([session, { since }]) => ({ session, since })))
    await clearNotes(store, `${name}/${auditNames.pending(node, index)}`)
    slot.clear()
  }
}

/** A set whose expiry has passed is gone, whatever is in it. */
async function clearNotes(store: Store, set: string): Promise<void> {
  await store.put(set, 'cleared', 0, { expiresAt: 0 })
}
