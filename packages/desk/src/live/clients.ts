// A client chooses its own id, so an id says nothing about who it is. What it does is to name the client's actions in
// the echoes that everyone sees, and to find its dialect when it comes back: `reconnect` does not say which. While a
// client is here, its id is its principal's alone.
//
// A record in the store, kept for a day, says which dialect a client speaks and which start of which node it was on last.
// Numbers mean something on the node that gave them: a client that was elsewhere meanwhile has others by now. So the record
// is written before the client is answered, and read before anything is replayed.

import { randomUUID } from 'node:crypto'
import { dropOldest } from '@beckon/core'
import { type Dialect, dialects } from '@beckon/core/live'
import type { Clock } from 'beckon'
import type { JsonValue, Store } from 'beckon/store'

interface Known {
  readonly principal: string
  readonly dialect: Dialect
  readonly locale?: string | undefined
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
    const kept = await this.#options.store.get(keyOf(id, principal)).catch(() => undefined)
    return decodeRecord(kept?.value, this.#start) ?? remembered
  }

  /** A client is here now. While the store is away, it is not known when it comes back, and begins anew. */
  async keep(id: string, { principal, dialect, locale }: Known): Promise<void> {
    const { store, clock } = this.#options
    const record = { dialect, start: this.#start, ...(locale !== undefined && { locale }) }
    await store.set(keyOf(id, principal), record, { expiresAt: clock.now() + keptMs }).catch(() => {})
  }
}

function recalledFrom({ dialect, locale }: Known): Recalled {
  return { dialect, ...(locale !== undefined && { locale }), wasHere: false }
}

function decodeRecord(value: JsonValue | undefined, here: string): Recalled | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { dialect: kept, locale, start } = value
  const dialect = dialects.find(known => known === kept)
  return dialect && { dialect, ...(typeof locale === 'string' && { locale }), wasHere: start === here }
}

function keyOf(id: string, principal: string): string {
  return `clients/${JSON.stringify([principal, id])}`
}
