// A client chooses its own id, so an id says nothing about who it is. What it does is to name the client's actions in
// the echoes that everyone sees, and to find its dialect when it comes back: `reconnect` does not say which. While a
// client is here, its id is its principal's alone.
import type { Dialect } from '../asks/gate.js'

interface Known {
  readonly principal: string
  readonly dialect: Dialect
}

/** How many clients that have gone are remembered. */
const maxGone = 10_000

export class Clients {
  readonly #here = new Map<string, Known & { readonly connections: number }>()
  readonly #gone = new Map<string, Known>()

  /** A connection takes an id; false when it is someone else's. */
  claim(id: string, { principal, dialect }: Known): boolean {
    const here = this.#here.get(id)
    if (here !== undefined && here.principal !== principal) return false
    this.#gone.delete(id)
    this.#here.set(id, { principal, dialect, connections: (here?.connections ?? 0) + 1 })
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

  /** The dialect that a principal's client spoke last. */
  dialectOf(id: string, principal: string): Dialect | undefined {
    const known = this.#here.get(id) ?? this.#gone.get(id)
    return known?.principal === principal ? known.dialect : undefined
  }
}
