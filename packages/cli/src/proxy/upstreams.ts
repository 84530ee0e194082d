// The connections that a proxy has to its server: one for each client, as far as clients can be told apart.
import type { Downstream } from './downstream.js'
import { Upstream, type UpstreamOptions } from './upstream.js'

/** Beyond this, connections that nobody uses are closed, the longest unused first. */
const maxConnections = 32

export class Upstreams {
  readonly #options: UpstreamOptions
  readonly #open = new Map<string, Promise<Upstream>>()
  #isClosed = false

  constructor(options: UpstreamOptions) {
    this.#options = options
  }

  /** The connection of a client, by its session. */
  of(key: string, downstream: Downstream): Promise<Upstream> {
    const known = this.#open.get(key)
    const upstream = known ?? Upstream.open(downstream, this.#options)
    // What was used last comes last.
    this.#open.delete(key)
    this.#open.set(key, upstream)
    if (known === undefined) {
      upstream.then(
        opened => opened.onClose(() => this.#forget(key, upstream)),
        () => this.#forget(key, upstream),
      )
      this.#tidy()
    }
    return upstream
  }

  /**
   * A connection for one call of a client that has no session. What a server of 2025 asks does not say which call it
   * is for, so calls that overlap get a connection each.
   */
  async idle(key: string, downstream: Downstream): Promise<Upstream> {
    for (let place = 0; ; place++) {
      const upstream = await this.of(`${key} ${place}`, downstream)
      if (upstream.isModern || !upstream.isBusy) return upstream
    }
  }

  async end(key: string): Promise<void> {
    const upstream = this.#open.get(key)
    this.#open.delete(key)
    await (await upstream)?.close()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled([...this.#open.keys()].map(key => this.end(key)))
  }

  #forget(key: string, upstream: Promise<Upstream>): void {
    if (this.#open.get(key) === upstream && !this.#isClosed) this.#open.delete(key)
  }

  #tidy(): void {
    if (this.#open.size <= maxConnections) return
    for (const [key, opening] of [...this.#open].slice(0, this.#open.size - maxConnections)) {
      opening.then(
        upstream => (upstream.isBusy ? undefined : this.end(key)),
        () => {},
      )
    }
  }
}
