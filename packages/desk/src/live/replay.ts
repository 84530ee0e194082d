// What was told lately, for clients that come back: in memory, so much of it, on the node that told it.
import { Fifo } from '@beckon/core'
import type { Person } from '../policy/audience.js'

interface Kept {
  readonly channel: string
  readonly seq: number
  readonly envelope: string
  readonly isFor: ((person: Person) => boolean) | undefined
}

interface Tape {
  /** What was told after this number is here. */
  from: number
  readonly kept: Fifo<Kept>
}

/** An envelope that was told on a channel. */
export interface Replayed {
  readonly channel: string
  readonly seq: number
  readonly envelope: string
}

const maxChars = 32 * 1024 * 1024

export class Replay {
  readonly #tapes = new Map<string, Tape>()
  /** Of all tapes, in the order in which it was told. */
  readonly #queue = new Fifo<{ readonly key: string; readonly chars: number }>()
  #chars = 0

  /** From now on what is told under this key is kept. */
  begin(key: string, seq: number): void {
    if (!this.#tapes.has(key)) this.#tapes.set(key, { from: seq, kept: new Fifo() })
  }

  add(key: string, kept: Kept): void {
    const tape = this.#tapes.get(key)
    if (tape === undefined) return
    tape.kept.push(kept)
    const chars = kept.envelope.length
    this.#queue.push({ key, chars })
    this.#chars += chars
    while (this.#chars > maxChars) this.#dropOldest()
  }

  /** What was told after a number, as far as it is for someone; undefined when that is not known any more. */
  after(key: string, seq: number, person: Person): Replayed[] | undefined {
    const tape = this.#tapes.get(key)
    if (tape === undefined || seq < tape.from) return undefined
    return [...tape.kept].filter(kept => kept.seq > seq && (kept.isFor === undefined || kept.isFor(person)))
  }

  /** Nobody comes back to this. */
  forget(key: string): void {
    this.#tapes.delete(key)
  }

  #dropOldest(): void {
    const oldest = this.#queue.shift()
    if (oldest === undefined) return
    this.#chars -= oldest.chars
    const tape = this.#tapes.get(oldest.key)
    const dropped = tape?.kept.shift()
    if (tape !== undefined && dropped !== undefined) tape.from = dropped.seq
  }
}
