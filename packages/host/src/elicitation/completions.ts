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

  /** Resolves to true once a page is completed, and to false when the signal aborts before. */
  wait(id: string, signal: AbortSignal): Promise<boolean> {
    if (this.#completed.has(id)) return Promise.resolve(true)
    if (signal.aborted) return Promise.resolve(false)
    return new Promise(resolve => {
      const waiting = this.#waiting.get(id) ?? new Set()
      this.#waiting.set(id, waiting)
      const end = (isCompleted: boolean) => {
        waiting.delete(completed)
        if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id)
        signal.removeEventListener('abort', aborted)
        resolve(isCompleted)
      }
      const completed = () => end(true)
      const aborted = () => end(false)
      waiting.add(completed)
      signal.addEventListener('abort', aborted, { once: true })
    })
  }
}
