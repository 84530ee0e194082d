/** Runs tasks one after the other, in the order they were added. A task that fails does not hold up the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Settles as the task does. */
  run<T>(task: () => T | PromiseLike<T>): Promise<T> {
    const result = this.#last.then(task)
    this.#last = result.catch(() => {})
    return result
  }

  /** Resolves once every task that was added so far has settled. */
  async settled(): Promise<void> {
    await this.#last
  }
}
