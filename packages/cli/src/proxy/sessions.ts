// The sessions of 2025 clients over HTTP. Each has a process of the server's own behind it, and a client may go away without a
// word: so there are so many, one that nothing is open for makes way for a new one, and ends by itself after a while.

export interface SessionsOptions {
  /** How many there are at most. */
  readonly max?: number
  /** How long one is kept that no request and no stream is open for. */
  readonly idleMs?: number
}

/** What is in a session, and how it is closed. */
interface Entry<T> {
  readonly session: Promise<T>
  /** Requests and streams that are open for it. */
  open: number
  usedAt: number
}

const defaultMax = 16
const defaultIdleMs = 10 * 60_000

export class Sessions<T extends { close(): Promise<void> }> {
  readonly #max: number
  readonly #entries = new Map<string, Entry<T>>()
  readonly #idleMs: number
  readonly #timer: NodeJS.Timeout

  constructor({ max = defaultMax, idleMs = defaultIdleMs }: SessionsOptions = {}) {
    this.#max = max
    this.#idleMs = idleMs
    this.#timer = setInterval(() => this.#expire(), Math.min(idleMs, 60_000)).unref()
  }

  /** Opens one; undefined when there is room for none. */
  async add(id: string, open: () => Promise<T>): Promise<T | undefined> {
    if (this.#entries.size >= this.#max && !this.#makeRoom()) return undefined
    const entry = { session: open(), open: 0, usedAt: Date.now() }
    this.#entries.set(id, entry)
    return entry.session.catch(error => {
      this.#entries.delete(id)
      throw error
    })
  }

  find(id: string): Promise<T> | undefined {
    return this.#entries.get(id)?.session
  }

  delete(id: string): void {
    this.#entries.delete(id)
  }

  /** Something is open for a session, until what is returned is called. */
  hold(id: string): () => void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return () => {}
    entry.open++
    return () => {
      entry.open--
      entry.usedAt = Date.now()
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.allSettled([...this.#entries.keys()].map(id => this.#end(id)))
  }

  /** Ends the one that was used the longest ago, of those that nothing is open for. */
  #makeRoom(): boolean {
    const [longest] = [...this.#entries]
      .filter(([, { open }]) => open === 0)
      .sort(([, a], [, b]) => a.usedAt - b.usedAt)
    if (longest === undefined) return false
    void this.#end(longest[0])
    return true
  }

  #expire(): void {
    const since = Date.now() - this.#idleMs
    for (const [id, { open, usedAt }] of this.#entries) if (open === 0 && usedAt <= since) void this.#end(id)
  }

  async #end(id: string): Promise<void> {
    const entry = this.#entries.get(id)
    this.#entries.delete(id)
    // One that could not be opened has nothing to close.
    await entry?.session.then(session => session.close()).catch(() => {})
  }
}
