import type { Exchange, HeaderList } from '../exchange/exchange.js'
import { eventStreamHeaders, jsonHeaders } from '../reply-with.js'
import type { SharedInterval } from '../shared-interval.js'
import { EventLog } from './event-log.js'

/** When a client whose stream ended should come back. */
const retryMs = 1_000

const emptyComment = ':\n\n'

/** A client that does not read is cut off once this much waits for it; it can come back for what the log still has. */
const maxBacklogBytes = 1024 * 1024

export interface StreamOptions {
  readonly name: string
  /** Whether the client knows events without data (2025-11-25). Older ones choke on them. */
  readonly primes: boolean
  /** Sent with the response, whichever kind it is. */
  readonly headers?: HeaderList
  readonly keepAlive: SharedInterval<Exchange>
  /** Counts the bytes that its log holds more, or fewer. */
  hold(bytes: number): void
  /** Told of every connection that something was sent on. */
  sent(exchange: Exchange): void
}

/**
 * What a 2025 client is sent in response to one POST, or on its GET stream. A response that is a single message leaves as
 * plain JSON; anything else is an event stream, which outlives its connection: the client may come back for the rest.
 */
export class SessionStream {
  readonly name: string
  readonly log: EventLog
  readonly #options: StreamOptions
  #exchange: Exchange | undefined
  #isOpen = false
  #isOver = false
  /** The last event that was written to a connection. */
  #sent = 0

  constructor(options: StreamOptions) {
    this.name = options.name
    this.#options = options
    this.log = new EventLog(options.name, bytes => options.hold(bytes))
  }

  get isAttached(): boolean {
    return this.#exchange !== undefined
  }

  /** No client can come back for it: it was never given an event id. */
  get isLost(): boolean {
    return this.#exchange === undefined && !this.#isOpen
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether anything of it may be asked for again. */
  get isResumable(): boolean {
    return this.#isOpen
  }

  /** Whether it had an event of this number; it may have let go of it since. */
  gave(number: number): boolean {
    return number > 0 && number <= this.log.last
  }

  attach(exchange: Exchange): void {
    // A client that comes back knows that its old connection is dead, perhaps before we do.
    this.#close()
    this.#exchange = exchange
    exchange.onGone(() => this.#detach(exchange))
  }

  /** Begins the event stream of a call that has said nothing yet. */
  open(): void {
    if (this.#isOpen || this.#exchange === undefined) return
    this.#begin()
    if (!this.#options.primes) this.#exchange.write(emptyComment)
  }

  /** Goes on with what was not sent yet, or with what came after an event. */
  resume(exchange: Exchange, after: number = this.#sent): void {
    this.attach(exchange)
    this.#begin()
    // Something has to be written for the headers to leave.
    exchange.write(emptyComment)
    for (const text of this.log.after(after)) exchange.write(text)
    this.#options.sent(exchange)
    this.#sent = this.log.last
    if (this.#isOver) this.#close()
  }

  send(json: string, isNotification: boolean): void {
    if (!this.#isOpen) this.#begin()
    const text = this.log.append(json, isNotification)
    if (this.#exchange === undefined) return
    if (this.#exchange.backlog > maxBacklogBytes) {
      this.pause()
      return
    }
    this.#exchange.write(text)
    this.#options.sent(this.#exchange)
    this.#sent = this.log.last
  }

  /** Sends the last message. */
  finish(json: string): void {
    this.#isOver = true
    if (!this.#isOpen) {
      const exchange = this.#exchange
      if (exchange === undefined) return
      exchange.reply(200, [...jsonHeaders, ...(this.#options.headers ?? [])], json)
      this.#options.sent(exchange)
      this.#exchange = undefined
      return
    }
    this.#close(this.log.append(json, false))
  }

  /** Ends the connection and not the stream: the client is to come back for the rest. */
  pause(): void {
    this.open()
    this.#close()
  }

  /** Ends it with nothing more to say. */
  abandon(): void {
    this.#isOver = true
    if (!this.#isOpen) this.#exchange?.open(this.#headers)
    this.#close()
  }

  #begin(): void {
    const exchange = this.#exchange
    if (exchange === undefined) return
    this.#isOpen = true
    exchange.open(this.#headers)
    this.#options.keepAlive.add(exchange)
    if (!this.#options.primes || this.log.last > 0) return
    exchange.write(this.log.prime(retryMs))
    this.#sent = this.log.last
  }

  get #headers(): HeaderList {
    return [...eventStreamHeaders, ...(this.#options.headers ?? [])]
  }

  #close(text?: string): void {
    const exchange = this.#exchange
    if (exchange === undefined) return
    this.#detach(exchange)
    if (text !== undefined) this.#sent = this.log.last
    exchange.end(text)
    this.#options.sent(exchange)
  }

  #detach(exchange: Exchange): void {
    this.#options.keepAlive.delete(exchange)
    if (this.#exchange === exchange) this.#exchange = undefined
  }
}
