/** How long after a change someone counts as typing. */
const typingMs = 4_000

/** Who types where, as far as it was heard of. */
export class Typing {
  readonly #until = new Map<string, { readonly who: string; readonly timer: ReturnType<typeof setTimeout> }>()
  readonly #last = new Map<string, string>()
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** Someone changed an answer. */
  heard(ask: string, questionId: string, who: string): void {
    const key = `${ask} ${questionId}`
    clearTimeout(this.#until.get(key)?.timer)
    this.#last.set(key, who)
    const timer = setTimeout(() => {
      this.#until.delete(key)
      this.#onChange()
    }, typingMs)
    this.#until.set(key, { who, timer })
  }

  who(ask: string, questionId: string): string | undefined {
    return this.#until.get(`${ask} ${questionId}`)?.who
  }

  /** Who else was the last to change an answer. */
  last(ask: string, questionId: string): string | undefined {
    return this.#last.get(`${ask} ${questionId}`)
  }

  close(): void {
    for (const { timer } of this.#until.values()) clearTimeout(timer)
    this.#until.clear()
  }
}
