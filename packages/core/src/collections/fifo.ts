interface Link<T> {
  readonly item: T
  next: Link<T> | undefined
}

/** First in, first out. Taking the first costs the same however many there are; `shift` of a long array moves all the others. */
export class Fifo<T> {
  #first: Link<T> | undefined
  #last: Link<T> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  push(item: T): void {
    const link = { item, next: undefined }
    if (this.#last === undefined) this.#first = link
    else this.#last.next = link
    this.#last = link
    this.#size++
  }

  /** Takes the first; undefined when there is none. */
  shift(): T | undefined {
    const first = this.#first
    if (first === undefined) return undefined
    this.#first = first.next
    if (this.#first === undefined) this.#last = undefined
    this.#size--
    return first.item
  }

  /** All of them, the first first. */
  *[Symbol.iterator](): Generator<T, void, undefined> {
    for (let link = this.#first; link !== undefined; link = link.next) yield link.item
  }
}
