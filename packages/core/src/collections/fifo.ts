/** First in, first out. Taking the first costs the same however many there are; `shift` of a long array moves all the others. */
export class Fifo<T> {
  #items: (T | undefined)[] = []
  #head = 0

  get size(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void {
    this.#items.push(item)
  }

  /** Takes the first; undefined when there is none. */
  shift(): T | undefined {
    const first = this.#items[this.#head]
    if (this.#head === this.#items.length) return undefined
    this.#items[this.#head++] = undefined
    if (this.#head > 1_000 && this.#head > this.#items.length / 2) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return first
  }

  /** All of them, the first first. */
  *[Symbol.iterator](): Generator<T, void, undefined> {
    // What is behind the head is there.
    for (let at = this.#head; at < this.#items.length; at++) yield this.#items[at] as T
  }
}
