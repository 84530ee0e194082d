// Makes sure that nothing that happened is missing from the audit when a process dies between its append to a session and its
// write to the audit. The name of the session is put into a set before the append, together with the names of the index; when the
// node is gone, another one makes good from the session's log what the audit does not have.
//
// P1 A session is named in a set of this node before an append that the audit is to have.
// P2 Names are not removed one by one. They are in slots of a minute each, which go as a whole once everything of them is written.
// P3 An append whose outcome nobody heard of is looked up before its slot goes.
// P4 A node that showed no sign of life for so long that others may have cleared its slots names its sessions again.
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import type { Put } from '../index/names.js'
import type { Happened } from '../model/happened.js'
import { isAudited } from './entries.js'
import { auditNames } from './log-names.js'

/** A session that something may be missing of, since a time. */
export interface PendingSession {
  readonly session: string
  readonly since: number
}

interface Named {
  readonly since: number
  /** The name is known to be in the store. */
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
  readonly #slots: Map<string, Named>[] = Array.from({ length: slots }, () => new Map())
  #current = 0
  #currentSince = 0
  /** The last sign of life that is in the store. */
  #seenAt = Number.NEGATIVE_INFINITY
  /** The sign of life that goes with the names of an append. */
  #registeringAt = Number.NEGATIVE_INFINITY
  #isRotating = false

  constructor(options: PendingOptions) {
    this.#options = options
  }

  /** The names that an event takes before its append. */
  names({ id: session, event }: Happened): Put[] {
    if (!isAudited(event)) return []
    const { node, clock } = this.#options
    const now = clock.now()
    const isLate = this.#checkLate(now)
    if (isLate) this.#registeringAt = now
    const slot = this.#slots[this.#current]
    const named = slot?.get(session)
    const since = Math.min(event.at, named?.since ?? event.at)
    slot?.set(session, { since, isStored: named?.isStored === true, isOutstanding: true })
    return [
      ...(named?.isStored ? [] : [{ set: auditNames.pending(node, this.#current), member: session, score: since }]),
      ...(isLate ? [{ set: auditNames.nodes, member: node, score: now }] : []),
    ]
  }

  /** What happened to a session was written, and is with what waits for the audit. */
  happened(session: string): void {
    this.#seenAt = Math.max(this.#seenAt, this.#registeringAt)
    for (const slot of this.#slots) {
      const named = slot.get(session)
      if (named === undefined) continue
      named.isStored = true
      named.isOutstanding = false
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
    if (isLate) for (const slot of this.#slots) for (const named of slot.values()) named.isStored = false
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
    await clearSet(store, `${name}/${auditNames.pending(node, index)}`)
    slot.clear()
  }
}

/** Forgets a set as a whole, by an expiry that has passed. */
export async function clearSet(store: Store, set: string): Promise<void> {
  await store.put(set, 'gone', 0, { expiresAt: 0 })
}
