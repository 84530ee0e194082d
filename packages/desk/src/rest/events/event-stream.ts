/**
 * Server-sent events for one client. What the client has not read waits here, up to a limit; a client that is slower
 * than that is cut, and comes back with the id of the last event that it got.
 */
export class EventStream implements AsyncIterableIterator<string> {
  readonly #maxChars: number
  readonly #onEnd: () => void
  #waiting: string[] = []
  #chars = 0
  #reader: ((result: IteratorResult<string>) => void) | undefined
  #isEnded = false

  constructor(maxChars: number, onEnd: () => void) {
    this.#maxChars = maxChars
    this.#onEnd = onEnd
  }

  push(frame: string): void {
    if (this.#isEnded) return
    if (this.#reader !== undefined) {
      this.#reader({ done: false, value: frame })
      this.#reader = undefined
      return
    }
    this.#waiting.push(frame)
    this.#chars += frame.length
    if (this.#chars > this.#maxChars) this.end()
  }

  /** Ends at once: what waits is dropped. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#waiting = []
    this.#reader?.({ done: true, value: undefined })
    this.#onEnd()
  }

  next(): Promise<IteratorResult<string>> {
    if (this.#isEnded) return Promise.resolve({ done: true, value: undefined })
    if (this.#waiting.length === 0) return new Promise(resolve => (this.#reader = resolve))
    const value = this.#waiting.join('')
    this.#waiting = []
    this.#chars = 0
    return Promise.resolve({ done: false, value })
  }

  return(): Promise<IteratorResult<string>> {
    this.end()
    return this.next()
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
