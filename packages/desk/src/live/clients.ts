// A client chooses its own id, so an id says nothing about who it is. What it does is to name the client's actions in
// the echoes that everyone sees, and to find its dialect when it comes back: `reconnect` does not say which. While a
// client is here, its id is its principal's alone. Its dialect is kept in the store for a day, for the node that it comes back to.
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import type { Dialect } from '../asks/gate.js'

interface Known {
  readonly principal: string
  readonly dialect: Dialect
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
  readonly #here = new Map<string, Known & { readonly connections: number }>()
  readonly #gone = new Map<string, Known>()

  constructor(options: ClientsOptions) {
    this.#options = options
  }

  /** A connection takes an id; false when it is someone else's. */
  claim(id: string, { principal, dialect }: Known): boolean {
    const here = this.#here.get(id)
    if (here !== undefined && here.principal !== principal) return false
    this.#gone.delete(id)
    this.#here.set(id, { principal, dialect, connections: (here?.connections ?? 0) + 1 })
    if (here?.dialect !== dialect) this.#keep(id, { principal, dialect })
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
    const [oldest] = this.#gone.keys()
    if (this.#gone.size > maxGone && oldest !== undefined) this.#gone.delete(oldest)
  }

  /** The dialect that a principal's client spoke last, here or on another node. */
  async dialectOf(id: string, principal: string): Promise<Dialect | undefined> {
    const known = this.#here.get(id) ?? this.#gone.get(id)
    if (known?.principal === principal) return known.dialect
    // While the store is away, the client begins anew.
    const kept = await this.#options.store.get(keyOf(id, principal)).catch(() => undefined)
    return kept?.value === 'older' || kept?.value === 'later' ? kept.value : undefined
  }

  /** Nobody waits for it: a client that is not known when it comes back begins anew. */
  #keep(id: string, { principal, dialect }: Known): void {
    const { store, clock } = this.#options
    store.set(keyOf(id, principal), dialect, { expiresAt: clock.now() + keptMs }).catch(() => {})
  }
}

function keyOf(id: string, principal: string): string {
  return `desk/clients/${JSON.stringify([principal, id])}`
}
