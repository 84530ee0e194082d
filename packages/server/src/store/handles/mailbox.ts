// Messages to one reader from any number of processes, in a log of the store.
//
// M1 A message whose `send` resolved is in the store: the reader gets it whenever it looks, and needs no hint.
// M2 The reader gets it once, although an append that rejects may have taken effect and is tried again, and a trim may fail.
// M3 The messages of one handle come in the order in which they were sent.
// M4 What is not read yet is bounded, in number and bytes: a message that finds no room is a `MailboxFullError`.
// M5 A mailbox that nobody writes to goes by itself, read or not.
import { randomId } from '../../crypto/random-id.js'
import { afterTurn } from '../../runtime/after-turn.js'
import { BoundedMap } from '../../runtime/bounded-map.js'
import type { Clock } from '../../runtime/clock.js'
import type { JsonValue } from '../json.js'
import type { LogEntry, Store } from '../store.js'
import { checkFormat, format } from './format.js'

export interface MailboxOptions {
  readonly store: Pick<Store, 'append' | 'read' | 'trim'>
  readonly name: string
  readonly clock: Pick<Clock, 'now'>
  /** How long a message is kept for a reader that does not look. */
  readonly keepMs: number
  /** How many pieces of messages may be unread. Default: 2,048, which is 128 Mi characters at most. */
  readonly maxUnread?: number | undefined
}

/** There is no room for a message: its reader is slower than those who write. */
export class MailboxFullError extends Error {
  constructor(name: string) {
    super(`The mailbox "${name}" is full.`)
  }
}

/** A piece of a message as it is stored: a format number, the id of the message, and some of its JSON. */
interface Piece {
  readonly v: typeof format
  readonly w: string
  readonly p: string
  /** On the last one. */
  readonly z?: true
}

interface Pending {
  readonly pieces: readonly Piece[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const pieceLength = 64 * 1024
/** The longest message, and what is appended at once. */
const maxPieces = 256
/** What is read at once: at least one whole message. */
const pagePieces = 2 * maxPieces
const defaultMaxUnread = 2_048
/** So often an append may reject. */
const maxRejections = 3
/** Of so many messages the reader knows that it has had them. */
const maxKnown = 10_000

export class Mailbox<Message> {
  readonly #options: MailboxOptions
  readonly #known = new BoundedMap<string, true>({ max: maxKnown })
  #pending: Pending[] = []
  #isSending = false
  /** The number of the last piece that this handle appended. */
  #last = 0
  /** Up to which the reader had read when that was looked up. */
  #readUpTo = 0

  constructor(options: MailboxOptions) {
    this.#options = options
  }

  /** Resolves once the message is stored. What is sent in one turn of the event loop, or meanwhile, is stored together. */
  send(message: Message): Promise<void> {
    const pieces = piecesOf(JSON.stringify(message))
    if (pieces.length > maxPieces)
      return Promise.reject(new RangeError(`A message has at most ${maxPieces * pieceLength} characters of JSON.`))
    return new Promise((resolve, reject) => {
      this.#pending.push({ pieces, resolve, reject })
      if (this.#isSending) return
      this.#isSending = true
      afterTurn(() => void this.#sendAll())
    })
  }

  /** Gives what is there, in order. For the one reader, and not while it is at it already. */
  async take(give: (message: Message) => void): Promise<void> {
    const { store, name } = this.#options
    for (let isMore = true; isMore; ) {
      const entries = await store.read(name, { limit: pagePieces })
      const upTo = this.#give(entries, give)
      // What cannot be trimmed is read again, and known.
      if (upTo !== undefined) await store.trim(name, upTo)
      isMore = entries.length === pagePieces && upTo !== undefined
    }
  }

  /** The number of the last entry that belongs to a whole message. */
  #give(entries: readonly LogEntry[], give: (message: Message) => void): number | undefined {
    let text = ''
    let upTo: number | undefined
    for (const { seq, value } of entries) {
      const piece = value as unknown as Piece
      checkFormat(piece, this.#options.name)
      const { w, p, z } = piece
      text += p
      if (!z) continue
      const json = text
      text = ''
      upTo = seq
      if (this.#known.get(w)) continue
      this.#known.set(w, true)
      give(JSON.parse(json))
    }
    return upTo
  }

  async #sendAll(): Promise<void> {
    for (let batch = this.#nextBatch(); batch.length > 0; batch = this.#nextBatch()) {
      try {
        await this.#append(batch.flatMap(({ pieces }) => pieces))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#isSending = false
  }

  #nextBatch(): Pending[] {
    let pieces = 0
    const end = this.#pending.findIndex(next => {
      pieces += next.pieces.length
      return pieces > maxPieces
    })
    return this.#pending.splice(0, end === -1 ? this.#pending.length : Math.max(1, end))
  }

  async #append(pieces: readonly Piece[]): Promise<void> {
    const { store, name, clock, keepMs } = this.#options
    if (!(await this.#hasRoomFor(pieces.length))) throw new MailboxFullError(name)
    for (let rejections = 1; ; rejections++) {
      try {
        const expiresAt = clock.now() + keepMs
        const at = (await store.append(name, pieces as unknown as JsonValue[], { expiresAt })) ?? 0
        this.#last = at
        // A mailbox that was gone begins anew.
        this.#readUpTo = Math.min(this.#readUpTo, at - pieces.length)
        return
      } catch (error) {
        if (rejections >= maxRejections) throw error
      }
    }
  }

  async #hasRoomFor(more: number): Promise<boolean> {
    const { store, name, maxUnread = defaultMaxUnread } = this.#options
    const isFull = (): boolean => this.#last - this.#readUpTo + more > maxUnread
    if (!isFull()) return true
    const [earliest] = await store.read(name, { limit: 1 })
    this.#readUpTo = earliest === undefined ? this.#last : Math.min(this.#last, earliest.seq - 1)
    return !isFull()
  }
}

function piecesOf(json: string): Piece[] {
  const w = randomId()
  const pieces: Piece[] = []
  for (let at = 0; at === 0 || at < json.length; at += pieceLength) {
    const isLast = at + pieceLength >= json.length
    pieces.push({ v: format, w, p: json.slice(at, at + pieceLength), ...(isLast && { z: true as const }) })
  }
  return pieces
}
