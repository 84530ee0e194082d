// A client chooses its own id, so an id says nothing about who it is. What it does is to name the client's actions in
// the echoes that everyone sees, and to find its dialect when it comes back: `reconnect` does not say which. While a
// client is here, its id is its principal's alone.
//
// A record in the store, kept for a day, says which dialect a client speaks and which start of which node it was on last.
// Numbers mean something on the node that gave them: a client that was elsewhere meanwhile has others by now. So the record
// is written before the client is answered, and read before anything is replayed. Its name is a digest: who has which client is
// nobody's business who reads names.

import { randomUUID } from 'node:crypto'
import { dropOldest } from '@beckon/core'
import { type Dialect, dialects } from '@beckon/core/live'
import type { Clock } from 'beckon'
import { digestOf } from 'beckon/sign-in/adapter'
import type { Store } from 'beckon/store'
import { Cell } from 'beckon/store/handles'

interface Known {
  readonly principal: string
  readonly dialect: Dialect
  readonly locale?: string | undefined
}

/** A client as the store has it. */
interface ClientRecord extends Omit<Known, 'principal'> {
  /** The start of a node that it was on last. */
  readonly start: string
}

/** What is known of a client that was on the desk before. */
export interface Recalled {
  readonly dialect: Dialect
  readonly locale?: string | undefined
  /** Whether it was here last, and not on another node, or on this one before it began again. */
  readonly wasHere: boolean
}

export interface ClientsOptions {
  readonly store: Store
  readonly clock: Clock
}

/** How many clients that have gone are remembered here. */
const maxGone = 10_000
const keptMs = 24 * 60 * 60 * 1000

export class Clients {
  readonly #options: ClientsOptions
  /** Names this start of this node. */
  readonly #start = randomUUID()
  readonly #here = new Map<string, Known & { readonly connections: number }>()
  readonly #gone = new Map<string, Known>()

  constructor(options: ClientsOptions) {
    this.#options = options
  }

  /** A connection takes an id; false when it is someone else's. */
  claim(id: string, known: Known): boolean {
    const { principal } = known
    const here = this.#here.get(id)
    if (here !== undefined && here.principal !== principal) return false
    this.#gone.delete(id)
    this.#here.set(id, { ...known, connections: (here?.connections ?? 0) + 1 })
    return true
  }

  /** A connection that had claimed an id is over. */
  release(id: string): void {
    const here = this.#here.get(id)
    if (here === undefined) return
    const { connections, ...known } = here
    if (connections > 1) {
      this.#here.set(id, { ...known, connections: connections - 1 })
      return
    }
    this.#here.delete(id)
    this.#gone.set(id, known)
    dropOldest(this.#gone, maxGone)
  }

  /** Names a person's client, for as long as it may come back. */
  keyOf(id: string, { principal }: { readonly principal: string }): string {
    return JSON.stringify([principal, id])
  }

  /** What a principal's client was last, here or on another node; undefined when nobody knows it. */
  async recall(id: string, principal: string): Promise<Recalled | undefined> {
    const known = this.#here.get(id) ?? this.#gone.get(id)
    const remembered = known?.principal === principal ? recalledFrom(known) : undefined
    // While the store is away nobody can say where it was.
    const kept = await this.#cell(id, principal)
      .get()
      .catch(() => undefined)
    // A later program may speak others.
    if (kept === undefined || !dialects.includes(kept.dialect)) return remembered
    return { ...recalledFrom(kept), wasHere: kept.start === this.#start }
  }

  /** A client is here now. While the store is away, it is not known when it comes back, and begins anew. */
  async keep(id: string, { principal, dialect, locale }: Known): Promise<void> {
    const expiresAt = this.#options.clock.now() + keptMs
    await this.#cell(id, principal)
      .set({ dialect, start: this.#start, locale }, { expiresAt })
      .catch(() => {})
  }

  #cell(id: string, principal: string): Cell<ClientRecord> {
    return new Cell(this.#options.store, `clients/${digestOf(this.keyOf(id, { principal }))}`)
  }
}

function recalledFrom({ dialect, locale }: Pick<Known, 'dialect' | 'locale'>): Recalled {
  return { dialect, ...(locale !== undefined && { locale }), wasHere: false }
}
