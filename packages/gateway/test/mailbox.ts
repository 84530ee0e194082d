/** Things that come in, for a test to wait for. */
export class Mailbox<T> {
  readonly all: T[] = []
  readonly #waiting = new Set<() => void>()

  put(item: T): void {
    this.all.push(item)
    for (const look of this.#waiting) look()
  }

  /** The first that fits, however long it takes to come. */
  when(fits: (item: T) => boolean): Promise<T> {
    return new Promise(resolve => {
      const look = () => {
        const found = this.all.find(fits)
        if (found === undefined) return
        this.#waiting.delete(look)
        resolve(found)
      }
      this.#waiting.add(look)
      look()
    })
  }
}
