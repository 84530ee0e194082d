// The list of asks in a state, kept apart from it. The reducers copy a list to change one thing in it, so with a hundred
// thousand asks in it every draft would cost as much as all of them. Here what happens to one ask is reduced on a state
// that has this ask, and a stand-in for all the others.

/** How to take the list of asks out of a state, and to put one in. */
export interface Lens<State, Item> {
  take(state: State): { readonly rest: State; readonly items: readonly Item[] }
  put(rest: State, items: readonly Item[]): State
  idOf(item: Item): string
  /** Whether somebody is still waited for. */
  isOpen(item: Item): boolean
  /** An open ask of this id, and nothing more. */
  standIn(id: string): Item
}

/** A state and its list of asks, apart. Changed in place. */
export class Apart<State, Item> {
  readonly #lens: Lens<State, Item>
  /** In the order they were put. */
  readonly #items = new Map<number, Item>()
  /** The place of the last one of each id: one that is closed may be followed by another. */
  readonly #places = new Map<string, number>()
  #rest: State
  #next = 0
  #open = 0

  constructor(state: State, lens: Lens<State, Item>) {
    this.#lens = lens
    const { rest, items } = lens.take(state)
    this.#rest = rest
    this.add(items)
  }

  /** The state with an empty list. */
  get rest(): State {
    return this.#rest
  }

  /** The state with its whole list: costs as much as there are asks. */
  get whole(): State {
    return this.#lens.put(this.#rest, this.items)
  }

  get items(): Item[] {
    return [...this.#items.values()]
  }

  get size(): number {
    return this.#items.size
  }

  get openCount(): number {
    return this.#open
  }

  /** The last one of an id. */
  find(id: string): Item | undefined {
    const place = this.#places.get(id)
    return place === undefined ? undefined : this.#items.get(place)
  }

  /** The state with one ask alone. */
  about(id: string): State {
    const item = this.find(id)
    return item === undefined ? this.#rest : this.#lens.put(this.#rest, [item])
  }

  add(items: readonly Item[]): void {
    for (const item of items) this.#add(item)
  }

  /** Changes everything. */
  change(reduce: (state: State) => State): void {
    const { rest, items } = this.#lens.take(reduce(this.whole))
    this.#rest = rest
    this.#items.clear()
    this.#places.clear()
    this.#open = 0
    this.add(items)
  }

  /** Changes one ask, or, without an id, what stands beside the list. */
  changeOne(id: string | undefined, reduce: (state: State) => State): void {
    const current = id === undefined ? undefined : this.find(id)
    const isOpen = current !== undefined && this.#lens.isOpen(current)
    // Of the others it matters only whether there are any.
    const others = this.#open - Number(isOpen) > 0 ? [this.#lens.standIn(`not ${id}`)] : []
    const before = [...(current === undefined ? [] : [current]), ...others]
    const { rest, items } = this.#lens.take(reduce(this.#lens.put(this.#rest, before)))
    const after = items.filter(item => item !== others[0])
    this.#rest = rest
    if (id !== undefined && current !== undefined) this.#replace(id, current, after.shift())
    this.add(after)
  }

  #add(item: Item): void {
    const place = this.#next++
    this.#items.set(place, item)
    this.#places.set(this.#lens.idOf(item), place)
    this.#open += Number(this.#lens.isOpen(item))
  }

  #replace(id: string, current: Item, next: Item | undefined): void {
    const place = this.#places.get(id)
    if (place === undefined || next === current) return
    this.#open -= Number(this.#lens.isOpen(current))
    if (next === undefined) {
      this.#items.delete(place)
      this.#places.delete(id)
    } else {
      this.#items.set(place, next)
      this.#open += Number(this.#lens.isOpen(next))
    }
  }
}
