// Asks wait for an hour and are answered within seconds, so their timers are made and taken back all the time. Those of one
// length end in the order in which they began: they share one timer of the runtime, which is set for the oldest.

interface Entry {
  readonly fn: () => void
  readonly dueAt: number
  older: Entry | undefined
  newer: Entry | undefined
  isIn: boolean
}

const timers = new Map<number, SharedTimer>()

/** Runs `fn` once after a delay; the result takes that back. Never keeps the process alive. */
export function afterShared(delayMs: number, fn: () => void): () => void {
  const timer = timers.get(delayMs) ?? new SharedTimer(delayMs)
  timers.set(delayMs, timer)
  return timer.add(fn)
}

class SharedTimer {
  readonly #delayMs: number
  #oldest: Entry | undefined
  #newest: Entry | undefined

  constructor(delayMs: number) {
    this.#delayMs = delayMs
    this.#set(delayMs)
  }

  add(fn: () => void): () => void {
    const dueAt = performance.now() + this.#delayMs
    const entry: Entry = { fn, dueAt, older: this.#newest, newer: undefined, isIn: true }
    if (this.#newest === undefined) this.#oldest = entry
    else this.#newest.newer = entry
    this.#newest = entry
    return () => this.#remove(entry)
  }

  #remove(entry: Entry): void {
    if (!entry.isIn) return
    entry.isIn = false
    const { older, newer } = entry
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
  }

  /** It stays set when the oldest is taken back: then it rings for nothing, and is set for the one that is oldest then. */
  #set(delayMs: number): void {
    setTimeout(() => this.#ring(), delayMs).unref()
  }

  #ring(): void {
    const now = performance.now()
    try {
      while (this.#oldest !== undefined && this.#oldest.dueAt <= now) {
        const { fn } = this.#oldest
        this.#remove(this.#oldest)
        fn()
      }
    } finally {
      if (this.#oldest === undefined) timers.delete(this.#delayMs)
      else this.#set(Math.max(1, Math.ceil(this.#oldest.dueAt - now)))
    }
  }
}
