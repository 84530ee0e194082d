// The processes that share a store, and which of them are alive. A node writes a beat that changes; whoever has seen the
// same beat for the length of a lease, by its own clock, takes that node for dead. So clocks that disagree do no harm. A node
// that was only slow can be taken for dead, too: what it writes afterwards is refused by the logs it writes to.

import { randomId } from '../crypto/random-id.js'
import type { Clock } from '../runtime/clock.js'
import type { Store, Version } from '../store/index.js'

export interface NodesOptions {
  /** The name of the server that a node is of. What it leaves is for the others of that name. */
  server: string
  store: Store
  clock: Clock
  /** How long a node may be silent. */
  leaseMs: number
}

/** Does something for a node that died. True when nothing is left to do. */
export type Heir = (node: string) => Promise<boolean>

const membersKey = 'nodes'
/** Between the id and the name of the server. No id has it. */
const separator = '@'
/** Dead nodes are cleared away by others long before. */
const keepMs = 24 * 60 * 60 * 1000

export class Nodes {
  readonly id: string
  readonly #options: NodesOptions
  readonly #seen = new Map<string, { version: Version; at: number }>()
  readonly #heirs: Heir[] = []
  readonly #everyBeat: (() => Promise<unknown>)[] = []
  readonly #everyReturn: (() => Promise<unknown>)[] = []
  #undone: (() => Promise<unknown>)[] = []
  #joining: Promise<void> | undefined
  #stopTimer: (() => void) | undefined
  #isClosed = false
  #beats = 0
  #lastBeatAt = Number.NEGATIVE_INFINITY

  constructor(options: NodesOptions) {
    this.#options = options
    this.id = `${randomId()}${separator}${options.server}`
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
    const { store, clock, leaseMs } = this.#options
    const beat = await store.get(keyOf(node))
    if (beat === undefined) return false
    const seen = this.#seen.get(node)
    const now = clock.now()
    if (seen?.version === beat.version) return now - seen.at < leaseMs
    this.#seen.set(node, { version: beat.version, at: now })
    return true
  }

  /** Whether the others cannot take this node for dead yet. Without a shared store there are no others. */
  get isFresh(): boolean {
    const { store, clock, leaseMs } = this.#options
    return !store.shared || clock.now() - this.#lastBeatAt < (leaseMs * 2) / 3
  }

  /** Has someone take over what a dead node left. */
  onDeath(heir: Heir): void {
    this.#heirs.push(heir)
  }

  /** Does something when this node was taken for dead, and was only slow. */
  onReturn(task: () => Promise<unknown>): void {
    this.#everyReturn.push(task)
  }

  /** Does something with every beat, bounded. */
  onBeat(task: () => Promise<unknown>): void {
    this.#everyBeat.push(task)
  }

  /** Tries something now and then with every beat until it succeeds: for what must not be left undone while the store is away. */
  async untilDone(attempt: () => Promise<unknown>): Promise<void> {
    try {
      await attempt()
    } catch {
      this.#undone.push(attempt)
      this.#arm()
    }
  }

  /** Leaves at once what this node has to whoever is next. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopTimer?.()
    const wasKnown = this.#joining
    this.#joining = undefined
    if (wasKnown === undefined) return
    await wasKnown.then(() => this.#options.store.delete(keyOf(this.id))).catch(() => {})
  }

  async #join(): Promise<void> {
    await this.#beat()
    await this.#changeMembers(members => (members.includes(this.id) ? members : [...members, this.id]))
    this.#arm()
  }

  /** The others took this node for dead, and what it had for theirs. */
  async #rejoin(): Promise<void> {
    await this.#changeMembers(members => (members.includes(this.id) ? members : [...members, this.id]))
    await Promise.all(this.#everyReturn.map(task => task()))
  }

  #arm(): void {
    if (this.#isClosed || !this.#options.store.shared) return
    const { clock, leaseMs } = this.#options
    this.#stopTimer?.()
    // Three beats in a lease: one may be late.
    this.#stopTimer = clock.after(leaseMs / 3, () => this.#tick().finally(() => this.#arm()))
  }

  async #tick(): Promise<void> {
    const undone = this.#undone
    this.#undone = []
    await Promise.all(undone.map(attempt => this.untilDone(attempt)))
    // Whoever has closed is gone, and must not seem to be back.
    if (this.#isClosed) return
    // A beat that fails is a beat that others miss: that is what it is for.
    await this.#beat().catch(() => {})
    if (this.#isClosed) return
    await this.#inherit().catch(() => {})
    for (const task of this.#everyBeat) await task().catch(() => {})
  }

  async #beat(): Promise<void> {
    const { store, clock } = this.#options
    const now = clock.now()
    await store.set(keyOf(this.id), ++this.#beats, { expiresAt: now + keepMs })
    this.#lastBeatAt = now
  }

  async #inherit(): Promise<void> {
    const { store } = this.#options
    const members = membersIn((await store.get(membersKey))?.value)
    if (!members.includes(this.id)) await this.#rejoin()
    for (const node of members) {
      if (!isOf(this.#options.server, node) || (await this.isAlive(node))) continue
      const last = await store.get(keyOf(node))
      const done = await Promise.all(this.#heirs.map(heir => heir(node)))
      if (!done.every(Boolean)) continue
      // One that was only slow may have come back meanwhile.
      if (last !== undefined && !(await store.compareAndSet(keyOf(node), last.version, null, { expiresAt: 0 })))
        continue
      this.#seen.delete(node)
      await this.#changeMembers(known => known.filter(other => other !== node))
    }
  }

  async #changeMembers(change: (members: string[]) => string[]): Promise<void> {
    const { store } = this.#options
    for (;;) {
      const entry = await store.get(membersKey)
      const members = membersIn(entry?.value)
      const changed = change(members)
      if (changed === members) return
      if ((await store.compareAndSet(membersKey, entry?.version, changed)) !== undefined) return
    }
  }
}

function membersIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** Whether a node is one of this server. An id without a name is of a version that wrote none. */
function isOf(server: string, node: string): boolean {
  const at = node.indexOf(separator)
  return at === -1 || node.slice(at + 1) === server
}

function keyOf(node: string): string {
  return `node/${node}`
}
