import type { AskDesk, AskPolicy, AskSubject, DeskOutcome, DeskRequest } from 'beckon/desk/adapter'

/** Who may answer, and until when. */
export interface AskTerms extends AskPolicy {
  /** Default: 24 hours. */
  readonly timeoutMs?: number | undefined
}

export interface ConnectionAsksOptions {
  readonly desk: AskDesk
  /** What all of them have in common. */
  readonly subject: AskSubject
  readonly terms: AskTerms
}

const dayMs = 24 * 60 * 60 * 1000

/** The asks of one connection, which a desk shows together. */
export class ConnectionAsks {
  readonly #options: ConnectionAsksOptions
  readonly #watchers = new Set<() => void>()
  #open = 0

  constructor(options: ConnectionAsksOptions) {
    this.#options = options
  }

  get server(): string {
    return this.#options.subject.server
  }

  /** Whether a person is being asked something. */
  get isAsking(): boolean {
    return this.#open > 0
  }

  /** Tells when asking begins and ends. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Asks, and waits for the answer. Aborting withdraws the ask. */
  async ask(subject: Partial<AskSubject>, request: DeskRequest, signal: AbortSignal): Promise<DeskOutcome> {
    if (signal.aborted) return { action: 'cancel', why: 'withdrawn' }
    this.#count(1)
    try {
      return await this.#openAndWait(subject, request, signal)
    } finally {
      this.#count(-1)
    }
  }

  async #openAndWait(subject: Partial<AskSubject>, request: DeskRequest, signal: AbortSignal): Promise<DeskOutcome> {
    const { desk, subject: common, terms } = this.#options
    const { timeoutMs = dayMs, ...policy } = terms
    const opened = await desk.open({ ...common, ...subject }, request, { policy, expiresAt: Date.now() + timeoutMs })
    try {
      return await opened.outcome(signal)
    } catch (error) {
      if (!signal.aborted) throw error
      // One that cannot be withdrawn expires.
      await opened.withdraw().catch(() => {})
      return { action: 'cancel', why: 'withdrawn' }
    }
  }

  #count(change: 1 | -1): void {
    this.#open += change
    for (const watcher of this.#watchers) watcher()
  }
}
