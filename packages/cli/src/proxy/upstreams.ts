// The connections that a proxy has to its server: one for each client, as far as clients can be told apart.
import type { Backend } from './backend.js'
import type { Downstream } from './downstream.js'

/** Each may be a process. Those that nobody uses make way for new ones, the longest unused first; beyond this there is no more. */
const maxConnections = 32

/** Connects a client to what is behind the proxy. */
export type Connect = (downstream: Downstream) => Promise<Backend>

interface Connection {
  readonly opening: Promise<Backend>
  upstream?: Backend
  /** Whether a session has it, which ends it itself. */
  readonly isKept: boolean
}

export class Upstreams {
  readonly #connectTo: Connect
  readonly #open = new Map<string, Connection>()
  #isClosed = false

  constructor(connectTo: Connect) {
    this.#connectTo = connectTo
  }

  /** The connection of a client, by its session. */
  of(key: string, downstream: Downstream): Promise<Backend> {
    return this.#connect(key, downstream, true)
  }

  /**
   * A connection for one call of a client that has no session. What a server of 2025 asks does not say which call it
   * is for, so calls that overlap get a connection each.
   */
  async idle(key: string, downstream: Downstream): Promise<Backend> {
    for (let place = 0; ; place++) {
      const upstream = await this.#connect(`${key} ${place}`, downstream, false)
      if (upstream.isModern || !upstream.isBusy) return upstream
    }
  }

  async end(key: string): Promise<void> {
    const connection = this.#open.get(key)
    this.#open.delete(key)
    await (await connection?.opening)?.close()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled([...this.#open.keys()].map(key => this.end(key)))
  }

  #connect(key: string, downstream: Downstream, isKept: boolean): Promise<Backend> {
    const known = this.#open.get(key)
    if (known === undefined) this.#makeRoom()
    const connection: Connection = known ?? { opening: this.#connectTo(downstream), isKept }
    // What was used last comes last.
    this.#open.delete(key)
    this.#open.set(key, connection)
    if (known === undefined)
      connection.opening.then(
        upstream => {
          connection.upstream = upstream
          upstream.onClose(() => this.#forget(key, connection))
        },
        () => this.#forget(key, connection),
      )
    return connection.opening
  }

  #forget(key: string, connection: Connection): void {
    if (this.#open.get(key) === connection && !this.#isClosed) this.#open.delete(key)
  }

  /** @throws Error where every connection is in use */
  #makeRoom(): void {
    if (this.#open.size < maxConnections) return
    const unused = ({ upstream, isKept }: Connection) => !isKept && upstream !== undefined && !upstream.isBusy
    const [longest] = [...this.#open].find(([, connection]) => unused(connection)) ?? []
    if (longest === undefined)
      throw new Error(`There are ${maxConnections} connections to the server, all of them in use.`)
    this.end(longest).catch(() => {})
  }
}
