// Which pages were completed, as `notifications/elicitation/complete` of 2025 says. It may come before anyone waits.

const remembered = 1_000

export class Completions {
  readonly #completed = new Set<string>()
  readonly #waiting = new Map<string, Set<() => void>>()

  complete(id: string): void {
    this.#completed.add(id)
    for (const oldest of this.#completed) {
      if (this.#completed.size <= remembered) break
      this.#completed.delete(oldest)
    }
    for (const resolve of this.#waiting.get(id) ?? []) resolve()
  }

  has(id: string): boolean {
    return this.#completed.has(id)
  }

  /** Resolves to true once a page is completed, and to false when the signal aborts before. */
  wait(id: string, signal: AbortSignal): Promise<boolean> {
    return this.#completed.has(id) ? Promise.resolve(true) : this.waitForAny([id], signal)
  }

  /** Resolves to true when one of these pages is completed from now on, and to false when the signal aborts before. */
  waitForAny(ids: readonly string[], signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false)
    return new Promise(resolve => {
      const end = (isCompleted: boolean) => {
        for (const id of ids) this.#forget(id, completed)
        signal.removeEventListener('abort', aborted)
        resolve(isCompleted)
      }
      const completed = () => end(true)
      const aborted = () => end(false)
      for (const id of ids) this.#waiting.set(id, (this.#waiting.get(id) ?? new Set()).add(completed))
      signal.addEventListener('abort', aborted, { once: true })
    })
  }

  #forget(id: string, completed: () => void): void {
    const waiting = this.#waiting.get(id)
    waiting?.delete(completed)
    if (waiting?.size === 0) this.#waiting.delete(id)
  }
}
