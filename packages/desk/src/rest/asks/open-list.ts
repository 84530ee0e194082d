import { comparePlaces, type Place } from '../paging.js'
import type { KnownAsk } from './known-ask.js'

interface Item extends Place {
  ask: KnownAsk | undefined
}

/** The open asks by time. Adding the newest and removing any cost the same however many there are. */
export class OpenList {
  #items: Item[] = []
  readonly #byAsk = new Map<KnownAsk, Item>()

  get size(): number {
    return this.#byAsk.size
  }

  add(ask: KnownAsk): void {
    const item: Item = { at: ask.askedAt, id: ask.id, ask }
    this.#byAsk.set(ask, item)
    const last = this.#items.at(-1)
    if (last === undefined || comparePlaces(last, item) <= 0) this.#items.push(item)
    else this.#items.splice(this.#before(item), 0, item)
  }

  remove(ask: KnownAsk): void {
    const item = this.#byAsk.get(ask)
    if (item === undefined) return
    item.ask = undefined
    this.#byAsk.delete(ask)
    if (this.#items.length > 64 && this.#items.length > 2 * this.#byAsk.size) {
      this.#items = this.#items.filter(kept => kept.ask !== undefined)
    }
  }

  clear(): void {
    this.#items = []
    this.#byAsk.clear()
  }

  /** Newest first, beginning after a place. */
  *newestFirst(after?: Place): Generator<KnownAsk, void, undefined> {
    const items = this.#items
    for (let index = (after === undefined ? items.length : this.#before(after)) - 1; index >= 0; index--) {
      const ask = items[index]?.ask
      if (ask !== undefined) yield ask
    }
  }

  /** How many items are older than a place. */
  #before(place: Place): number {
    let low = 0
    let high = this.#items.length
    while (low < high) {
      const middle = (low + high) >> 1
      const item = this.#items[middle]
      if (item !== undefined && comparePlaces(item, place) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
