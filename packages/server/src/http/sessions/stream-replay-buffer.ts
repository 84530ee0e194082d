import { eventOf, messageIn } from '../reply-with.js'
import { encodeEventId } from './event-id.js'

interface LoggedEvent {
  readonly number: number
  readonly text: string
  readonly isNotification: boolean
}

/** A message of a stream, and whether it is one that may be lost. */
export interface LoggedMessage {
  readonly json: string
  readonly isNotification: boolean
}

/** Counts the bytes that are held more, or fewer. */
export interface ByteAccount {
  hold(bytes: number): void
}

const maxEvents = 1_000
const maxBytes = 2 * 1024 * 1024

/** What an event takes beside its text. */
const entryBytes = 128

/**
 * The events of one stream, so that a client whose connection broke can have those that it missed. Bounded: notifications
 * go first, since a question or a result that is lost ends a call badly. The newest event stays until it is dropped by
 * what bounds many logs.
 */
export class StreamReplayBuffer {
  readonly #stream: string
  readonly #suffix: string
  readonly #account: ByteAccount | undefined
  readonly #events: LoggedEvent[] = []
  #notifications = 0
  #bytes = 0
  #last = 0

  /**
   * @param stream What tells the ids of this stream from those of others.
   * @param suffix What its ids end with.
   * @param account Counts what it holds.
   */
  constructor(stream: string, suffix = '', account?: ByteAccount) {
    this.#stream = stream
    this.#suffix = suffix
    this.#account = account
  }

  /** An event without data, which gives a client an id to come back with. */
  prime(retryMs: number): string {
    return `id: ${this.#nextId()}\nretry: ${retryMs}\ndata: \n\n`
  }

  append(json: string, isNotification: boolean): string {
    const text = eventOf(json, this.#nextId())
    this.#events.push({ number: this.#last, text, isNotification })
    if (isNotification) this.#notifications += 1
    this.#count(weightOf(text))
    while (this.#events.length > maxEvents || (this.#bytes > maxBytes && this.#events.length > 1)) this.#trim()
    return text
  }

  /** The number of the newest event. */
  get last(): number {
    return this.#last
  }

  /** How much its events take. */
  get bytes(): number {
    return this.#bytes
  }

  /** The events after one, as they were sent. */
  *after(number: number): Generator<string> {
    for (const event of this.#events) if (event.number > number) yield event.text
  }

  /** The messages of the events after one. */
  messagesAfter(number: number): LoggedMessage[] {
    return this.#events
      .filter(event => event.number > number)
      .map(({ text, isNotification }) => ({ json: messageIn(text), isNotification }))
  }

  /** Drops the oldest notification; false when there is none. */
  dropNotification(): boolean {
    if (this.#notifications === 0) return false
    this.#drop(this.#events.findIndex(event => event.isNotification))
    return true
  }

  /** Drops the oldest event; false when there is none. */
  dropOldest(): boolean {
    if (this.#events.length === 0) return false
    this.#drop(0)
    return true
  }

  clear(): void {
    if (this.#events.length === 0) return
    this.#events.length = 0
    this.#notifications = 0
    this.#count(-this.#bytes)
  }

  #nextId(): string {
    this.#last += 1
    return encodeEventId(this.#stream, this.#last, this.#suffix)
  }

  #trim(): void {
    const newest = this.#events.at(-1)
    const older = this.#notifications - (newest?.isNotification ? 1 : 0)
    if (older > 0) this.dropNotification()
    else this.dropOldest()
  }

  #drop(index: number): void {
    const [dropped] = this.#events.splice(index, 1)
    if (dropped?.isNotification) this.#notifications -= 1
    if (dropped !== undefined) this.#count(-weightOf(dropped.text))
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    this.#account?.hold(bytes)
  }
}

/** Two bytes for a character, since any text may need them. */
function weightOf(text: string): number {
  return 2 * text.length + entryBytes
}
