import { type Clock, Stopwatch } from '@beckon/core'
import { ActionTimeoutError } from '../errors.js'

/** One run of an action: what may end it early, and the clock that stands still while someone is asked. */
export class Invocation {
  readonly id: string
  readonly #controller = new AbortController()
  readonly #stopwatch: Stopwatch
  #asking = 0
  #isOver = false

  constructor(id: string, action: { announced: { name: string; timeoutMs: number } }, clock: Clock) {
    const { name, timeoutMs } = action.announced
    this.id = id
    this.#stopwatch = new Stopwatch(clock, timeoutMs, () => this.abort(new ActionTimeoutError(name, timeoutMs)))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether nothing more is said about it: it was answered. */
  get isOver(): boolean {
    return this.#isOver
  }

  abort(reason: Error): void {
    if (!this.#isOver) this.#controller.abort(reason)
  }

  /** Runs to its result, or to the reason of its abort: that does not wait for the handler to notice. */
  async run(handle: () => Promise<unknown>): Promise<unknown> {
    const aborted = new Promise<never>((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true })
    })
    this.#stopwatch.run()
    try {
      return await Promise.race([aborted, handle()])
    } finally {
      this.#isOver = true
      this.#stopwatch.stop()
    }
  }

  /** Waits for someone; meanwhile no time passes for the action. */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    if (this.#asking++ === 0) this.#stopwatch.stop()
    try {
      return await question()
    } finally {
      if (--this.#asking === 0 && !this.#isOver && !this.signal.aborted) this.#stopwatch.run()
    }
  }
}
