// The desk's log in the store: one order for every node. It is kept in parts, so that a desk that has run for a year
// starts as fast as a new one. A part is closed by its last line; the state at that point opens the next one.
import type { JsonValue, Store } from 'beckon/store'
import type { Accepted, Line } from './act.js'

/** Lines in a part before it is closed. */
const defaultPartLines = 5_000
/** A snapshot holds every session, so it is made once in so many lines for each. */
const linesPerSession = 10
/** Parts that are kept for clients that come back: the newest, and the one before it. */
const keptParts = 2

const closed = 'closed'

interface Part {
  readonly number: number
  /** How many lines all the parts before it have. */
  readonly base: number
  /** The state that it begins with. */
  readonly snapshot: JsonValue
}

/** What a desk starts from. */
export interface Opened {
  readonly snapshot: JsonValue
  readonly lines: Accepted[]
}

export class DeskLog {
  readonly #store: Store
  readonly #name: string
  readonly #snapshot: () => JsonValue
  readonly #partLines: number
  #floor = 0
  #isClosed = false
  #part: Part = { number: 0, base: 0, snapshot: null }
  /** The number of the last line that this node knows, in the current part. */
  #known = 0

  /** `snapshot` gives the state after the last line that this node knows. */
  constructor(store: Store, name: string, snapshot: () => JsonValue, partLines: number = defaultPartLines) {
    this.#store = store
    this.#name = name
    this.#snapshot = snapshot
    this.#partLines = partLines
  }

  /** The number of the last line that this node knows. */
  get head(): number {
    return this.#part.base + this.#known
  }

  /** The earliest line that can still be read, less one. */
  get floor(): number {
    return this.#floor
  }

  /** Finds the newest part, and reads it. */
  async open(): Promise<Opened> {
    const number = await this.#newestPart()
    this.#part = await this.#readPart(number)
    // The part before this one is still there.
    this.#floor = number > 0 ? (await this.#readPart(number - 1)).base : 0
    const { snapshot } = this.#part
    return { snapshot, lines: await this.catchUp() }
  }

  /** Writes lines after the last one that this node knows; undefined when another node was faster. */
  async append(lines: readonly Line[]): Promise<Accepted[] | undefined> {
    const after = this.#known
    // Lines are plain JSON.
    const seq = await this.#store.append(this.#logOf(this.#part.number), lines as unknown as JsonValue[], { after })
    if (seq === undefined) return undefined
    this.#known = seq
    return lines.map((line, index) => ({ ...line, seq: this.#part.base + after + index + 1 }))
  }

  /**
   * Closes a part that is full, and begins the next. Call it once all that is known is in the state. `weight` is how much
   * a snapshot would hold: the more, the rarer.
   */
  async roll(weight: number): Promise<void> {
    const { number, base } = this.#part
    if (!this.#isClosed && this.#known >= Math.max(this.#partLines, weight * linesPerSession)) {
      this.#isClosed = (await this.#store.append(this.#logOf(number), [closed], { after: this.#known })) !== undefined
    }
    if (this.#isClosed) await this.#enter({ number: number + 1, base: base + this.#known, snapshot: this.#snapshot() })
  }

  /** What other nodes have written since. */
  async catchUp(): Promise<Accepted[]> {
    const found: Accepted[] = []
    let missed: number | undefined
    for (;;) {
      const { number, base } = this.#part
      const lines = await this.#store.read(this.#logOf(number), { after: this.#known })
      for (const { seq, value } of lines) {
        if (value === closed) this.#isClosed = true
        else {
          this.#known = seq
          found.push({ ...lineOf(value), seq: base + seq })
        }
      }
      const next = this.#isClosed ? await this.#store.get(this.#partOf(number + 1)) : undefined
      if (next === undefined) {
        // Open, or closed by a node that has not begun the next part: whoever comes first does, in `roll`.
        const isNewest = (lines.length > 0 && !this.#isClosed) || (await this.#newestPart()) <= number
        if (isNewest) return found
        // Others have gone on. Either they did just now, and it is all there on a second look, or what came between is
        // no longer kept, and this node must not begin a part of its own.
        if (missed === number) throw fallenBehind()
        missed = number
        continue
      }
      this.#begin(partOf(next.value))
    }
  }

  /** The lines after a number; undefined when it is too far back. */
  async readAfter(seq: number): Promise<Accepted[] | undefined> {
    if (seq < this.#floor || seq > this.head) return undefined
    const found: Accepted[] = []
    for (let number = this.#part.number; number >= 0; number--) {
      const part = number === this.#part.number ? this.#part : await this.#readPart(number)
      const lines = await this.#store.read(this.#logOf(number), { after: Math.max(0, seq - part.base) })
      found.unshift(
        ...lines.flatMap(({ seq: at, value }) => (value === closed ? [] : [{ ...lineOf(value), seq: part.base + at }])),
      )
      if (part.base <= seq) break
    }
    return found
  }

  async #enter(part: Part): Promise<void> {
    // A part is plain JSON.
    await this.#store.compareAndSet(this.#partOf(part.number), undefined, part as unknown as JsonValue)
    await this.#store.set(`${this.#name}/part`, part.number)
    const old = part.number - keptParts
    if (old >= 0) {
      await this.#store.erase(this.#logOf(old))
      await this.#store.delete(this.#partOf(old))
    }
    this.#begin(part)
  }

  #begin(part: Part): void {
    // Of the parts that are kept, the one before this is the first.
    if (part.number >= keptParts) this.#floor = this.#part.base
    this.#part = part
    this.#known = 0
    this.#isClosed = false
  }

  async #readPart(number: number): Promise<Part> {
    const entry = await this.#store.get(this.#partOf(number))
    return entry === undefined ? { number: 0, base: 0, snapshot: null } : partOf(entry.value)
  }

  async #newestPart(): Promise<number> {
    const entry = await this.#store.get(`${this.#name}/part`)
    return typeof entry?.value === 'number' ? entry.value : 0
  }

  #logOf(part: number): string {
    return `${this.#name}/log/${part}`
  }

  #partOf(part: number): string {
    return `${this.#name}/part/${part}`
  }
}

// What is in the log and under its keys, a desk wrote.
function lineOf(value: JsonValue): Line {
  return value as unknown as Line
}

function partOf(value: JsonValue): Part {
  return value as unknown as Part
}

function fallenBehind(): Error {
  return new Error('This node of the desk has fallen behind what the store keeps. Start it again.')
}
