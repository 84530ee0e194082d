import type { HeaderList, HttpResponse } from '../exchange/exchange.js'
import { eventStreamHeaders, jsonHeaders } from '../reply-with.js'
import type { SharedInterval } from '../shared-interval.js'
import { EventLog, type LoggedMessage } from './event-log.js'

/** When a client whose stream ended should come back. */
const retryMs = 1_000

const emptyComment = ':\n\n'

/** A client that does not read is cut off once this much waits for it; it can come back for what the log still has. */
const maxBacklogBytes = 1024 * 1024

export interface StreamOptions {
  readonly name: string
  /** What the ids of its events end with. */
  readonly suffix: string
  /** Whether the client knows events without data (2025-11-25). Older ones choke on them. */
  readonly primes: boolean
  /** Sent with the response, whichever kind it is. */
  readonly headers?: HeaderList
  readonly keepAlive: SharedInterval<HttpResponse>
  /** Counts the bytes that its log holds more, or fewer. */
  hold(bytes: number): void
  /** Told of every connection that something was sent on. */
  sent(response: HttpResponse): void
}

/**
 * What a 2025 client is sent in response to one POST, or on its GET stream. A response that is a single message leaves as
 * plain JSON; anything else is an event stream, which outlives its connection: the client may come back for the rest.
 */
export class SessionStream {
  readonly name: string
  readonly log: EventLog
  readonly #options: StreamOptions
  #response: HttpResponse | undefined
  #isOpen = false
  #isOver = false
  /** The last event that was written to a connection. */
  #sent = 0

  constructor(options: StreamOptions) {
    this.name = options.name
    this.#options = options
    this.log = new EventLog(options.name, options.suffix, bytes => options.hold(bytes))
  }

  get isAttached(): boolean {
    return this.#response !== undefined
  }

  /** No client can come back for it: it was never given an event id. */
  get isLost(): boolean {
    return this.#response === undefined && !this.#isOpen
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

  /** What was not written to a connection yet. */
  get unsent(): LoggedMessage[] {
    return this.log.messagesAfter(this.#sent)
  }

  attach(response: HttpResponse): void {
    // A client that comes back knows that its old connection is dead, perhaps before we do.
    this.#close()
    this.#response = response
    response.onGone(() => this.#detach(response))
  }

  /** Begins the event stream of a call that has said nothing yet. */
  open(): void {
    if (this.#isOpen || this.#response === undefined) return
    this.#begin()
    if (!this.#options.primes) this.#response.write(emptyComment)
  }

  /** Goes on with what was not sent yet, or with what came after an event. */
  resume(response: HttpResponse, after: number = this.#sent): void {
    this.attach(response)
    this.#begin()
    // Something has to be written for the headers to leave.
    response.write(emptyComment)
    for (const text of this.log.after(after)) response.write(text)
    this.#options.sent(response)
    this.#sent = this.log.last
    if (this.#isOver) this.#close()
  }

  send(json: string, isNotification: boolean): void {
    if (!this.#isOpen) this.#begin()
    const text = this.log.append(json, isNotification)
    if (this.#response === undefined) return
    if (this.#response.backlog > maxBacklogBytes) {
      this.pause()
      return
    }
    this.#response.write(text)
    this.#options.sent(this.#response)
    this.#sent = this.log.last
  }

  /** Sends the last message. */
  finish(json: string): void {
    this.#isOver = true
    if (!this.#isOpen) {
      const response = this.#response
      if (response === undefined) return
      response.reply(200, [...jsonHeaders, ...(this.#options.headers ?? [])], json)
      this.#options.sent(response)
      this.#response = undefined
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
    if (!this.#isOpen) this.#response?.open(this.#headers)
    this.#close()
  }

  #begin(): void {
    const response = this.#response
    if (response === undefined) return
    this.#isOpen = true
    response.open(this.#headers)
    this.#options.keepAlive.add(response)
    if (!this.#options.primes || this.log.last > 0) return
    response.write(this.log.prime(retryMs))
    this.#sent = this.log.last
  }

  get #headers(): HeaderList {
    return [...eventStreamHeaders, ...(this.#options.headers ?? [])]
  }

  #close(text?: string): void {
    const response = this.#response
    if (response === undefined) return
    this.#detach(response)
    if (text !== undefined) this.#sent = this.log.last
    response.end(text)
    this.#options.sent(response)
  }

  #detach(response: HttpResponse): void {
    this.#options.keepAlive.delete(response)
    if (this.#response === response) this.#response = undefined
  }
}
