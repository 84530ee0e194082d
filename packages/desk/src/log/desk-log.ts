// The desk's log in the store: one order for every node. It is kept in parts, so that a desk that has run for a year
// starts as fast as a new one. A part is closed by its last line; the state at that point opens the next one.
//
// A store may fail at any step. What was read by then is kept for the next time, and a node that was on its way to the
// newest part begins that way again.
import type { JsonValue, Store } from 'beckon/store'
import type { Accepted, Line } from './act.js'
import { Snapshots } from './snapshots.js'

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
}

/** What a desk starts from. */
export interface Opened {
  readonly snapshot: readonly JsonValue[]
  readonly lines: readonly Accepted[]
}

/** What a node does not know yet: lines, or, when the store no longer has those, everything from the start. */
export type News = { readonly lines: readonly Accepted[] } | { readonly anew: Opened }

export class DeskLog {
  readonly #store: Store
  readonly #name: string
  readonly #snapshots: Snapshots
  readonly #snapshot: () => readonly JsonValue[]
  readonly #partLines: number
  #floor = 0
  #isClosed = false
  #part: Part = { number: 0, base: 0 }
  /** The number of the last line that this node knows, in the current part. */
  #known = 0
  /** Lines that were read and not given to anyone yet. */
  #unread: Accepted[] = []
  /** Whether the node's state is not the one at `#part`: it is on its way to the newest part. */
  #isLost = true
  #lostAt = 0

  /** `snapshot` gives the state after the last line that this node knows. */
  constructor(store: Store, name: string, snapshot: () => readonly JsonValue[], partLines: number = defaultPartLines) {
    this.#store = store
    this.#name = name
    this.#snapshots = new Snapshots(store, name)
    this.#snapshot = snapshot
    this.#partLines = partLines
  }

  /** The number of the last line that was given to this node. */
  get head(): number {
    if (this.#isLost) return this.#lostAt
    const [first] = this.#unread
    return first === undefined ? this.#part.base + this.#known : first.seq - 1
  }

  /** Finds the newest part, and reads it. */
  async open(): Promise<Opened> {
    this.#lostAt = this.head
    this.#isLost = true
    for (;;) {
      const part = await this.#readPart(await this.#newestPart())
      const before = part && (await this.#readPart(part.number - 1))
      const snapshot = part && (await this.#snapshots.read(part.number))
      // Others have gone on meanwhile.
      if (part === undefined || (await this.#newestPart()) !== part.number) continue
      this.#part = part
      this.#floor = before?.base ?? part.base
      this.#known = 0
      this.#isClosed = false
      this.#unread = []
      const lines = await this.#readOn()
      if (lines === undefined) continue
      this.#isLost = false
      return { snapshot: snapshot ?? [], lines }
    }
  }

  /** Writes lines after the last one that this node knows; undefined when there is something that it does not know. */
  async append(lines: readonly Line[]): Promise<Accepted[] | undefined> {
    if (this.#isLost || this.#unread.length > 0) return undefined
    const { number, base } = this.#part
    const after = this.#known
    // Lines are plain JSON.
    const seq = await this.#store.append(this.#logOf(number), lines as unknown as JsonValue[], { after })
    if (seq === undefined || (after === 0 && (await this.#isGone(number)))) return undefined
    this.#known = seq
    return lines.map((line, index) => ({ ...line, seq: base + after + index + 1 }))
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
    if (this.#isClosed) await this.#enter({ number: number + 1, base: base + this.#known })
  }

  /** What other nodes have written since. */
  async catchUp(): Promise<News> {
    const lines = this.#isLost ? undefined : await this.#readOn()
    return lines === undefined ? { anew: await this.open() } : { lines }
  }

  /** The lines after a number; undefined when it is too far back. */
  async readAfter(seq: number): Promise<Accepted[] | undefined> {
    if (seq < this.#floor || seq > this.head) return undefined
    const found: Accepted[] = []
    for (let number = this.#part.number; number >= 0; number--) {
      const part = number === this.#part.number ? this.#part : await this.#readPart(number)
      if (part === undefined) return undefined
      const lines = await this.#store.read(this.#logOf(number), { after: Math.max(0, seq - part.base) })
      found.unshift(
        ...lines.flatMap(({ seq: at, value }) => (value === closed ? [] : [{ ...lineOf(value), seq: part.base + at }])),
      )
      if (part.base <= seq) break
    }
    return found
  }

  /** The lines that follow what this node knows; undefined when what came next is no longer kept. */
  async #readOn(): Promise<Accepted[] | undefined> {
    let missed: number | undefined
    for (;;) {
      const { number, base } = this.#part
      const lines = await this.#store.read(this.#logOf(number), { after: this.#known })
      for (const { seq, value } of lines) {
        if (value === closed) this.#isClosed = true
        else {
          this.#known = seq
          this.#unread.push({ ...lineOf(value), seq: base + seq })
        }
      }
      const next = this.#isClosed ? await this.#readPart(number + 1) : undefined
      if (next !== undefined) {
        this.#begin(next)
        continue
      }
      // Open, or closed by a node that has not begun the next part: whoever comes first does, in `roll`.
      const isNewest = (lines.length > 0 && !this.#isClosed) || (await this.#newestPart()) <= number
      if (isNewest) return this.#unread.splice(0)
      // Others have gone on. Either they did just now, and it is all there on a second look, or what came between is
      // no longer kept, and this node must not begin a part of its own.
      if (missed === number) return undefined
      missed = number
    }
  }

  async #enter(part: Part): Promise<void> {
    await this.#snapshots.write(part.number, this.#snapshot())
    // A part is plain JSON.
    await this.#store.compareAndSet(this.#partOf(part.number), undefined, part as unknown as JsonValue)
    await this.#announce(part.number)
    const old = part.number - keptParts
    if (old >= 0) {
      await this.#store.erase(this.#logOf(old))
      await this.#store.delete(this.#partOf(old))
      await this.#snapshots.erase(old)
    }
    this.#begin(part)
  }

  /** Says which part is the newest, unless another node has gone on from it by now. */
  async #announce(number: number): Promise<void> {
    for (;;) {
      const key = `${this.#name}/part`
      const entry = await this.#store.get(key)
      if (typeof entry?.value === 'number' && entry.value >= number) return
      if ((await this.#store.compareAndSet(key, entry?.version, number)) !== undefined) return
    }
  }

  #begin(part: Part): void {
    // Of the parts that are kept, the one before this is the first.
    if (part.number >= keptParts) this.#floor = this.#part.base
    this.#part = part
    this.#known = 0
    this.#isClosed = false
  }

  /** Whether a part that this node has just begun to write was erased before: then the log that it began is nobody's. */
  async #isGone(number: number): Promise<boolean> {
    if ((await this.#newestPart()) - number < keptParts) return false
    await this.#store.erase(this.#logOf(number))
    return true
  }

  /** The first part is there without a word. */
  async #readPart(number: number): Promise<Part | undefined> {
    const entry = await this.#store.get(this.#partOf(number))
    if (entry !== undefined) return partOf(entry.value)
    return number === 0 ? { number, base: 0 } : undefined
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
