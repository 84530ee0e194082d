import type { HeaderList, HttpResponse } from '../exchange/exchange.js'
import { eventStreamHeaders, jsonHeaders } from '../reply-with.js'
import type { SharedInterval } from '../shared-interval.js'
import { type ByteAccount, type LoggedMessage, StreamReplayBuffer } from './stream-replay-buffer.js'

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
  readonly headers: HeaderList
}

/** What the streams of a session have in common. Counts what their logs hold. */
export interface StreamHost extends ByteAccount {
  readonly keepAlive: SharedInterval<HttpResponse>
  /** Told of every connection that something was sent on. */
  sent(response: HttpResponse): void
}

/**
 * What a 2025 client is sent in response to one POST, or on its GET stream. A response that is a single message leaves as
 * plain JSON; anything else is an event stream, which outlives its connection: the client may come back for the rest.
 */
export class SessionStream {
  readonly name: string
  readonly log: StreamReplayBuffer
  readonly #host: StreamHost
  readonly #primes: boolean
  readonly #extraHeaders: HeaderList
  #response: HttpResponse | undefined
  #isOpen = false
  #isOver = false
  /** The last event that was written to a connection. */
  #sent = 0

  constructor(host: StreamHost, { name, suffix, primes, headers }: StreamOptions) {
    this.name = name
    this.log = new StreamReplayBuffer(name, suffix, host)
    this.#host = host
    this.#primes = primes
    this.#extraHeaders = headers
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
    this.#response.write(this.#begin() || emptyComment)
  }

  /** Goes on with what was not sent yet, or with what came after an event. */
  resume(response: HttpResponse, after: number = this.#sent): void {
    this.attach(response)
    // Something has to be written for the headers to leave.
    response.write(`${this.#begin()}${emptyComment}`)
    for (const text of this.log.after(after)) response.write(text)
    this.#host.sent(response)
    this.#sent = this.log.last
    if (this.#isOver) this.#close()
  }

  send(json: string, isNotification: boolean): void {
    const before = this.#isOpen ? '' : this.#begin()
    const text = before + this.log.append(json, isNotification)
    if (this.#response === undefined) return
    // One that has just begun has nothing to come back with yet.
    if (before === '' && this.#response.backlog > maxBacklogBytes) {
      this.pause()
      return
    }
    this.#response.write(text)
    this.#host.sent(this.#response)
    this.#sent = this.log.last
  }

  /** Sends the last message. */
  finish(json: string): void {
    this.#isOver = true
    if (!this.#isOpen) {
      const response = this.#response
      if (response === undefined) return
      response.reply(200, withHeaders(jsonHeaders, this.#extraHeaders), json)
      this.#host.sent(response)
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

  /** Begins an event stream. Gives what is written first. */
  #begin(): string {
    const response = this.#response
    if (response === undefined) return ''
    this.#isOpen = true
    response.open(this.#headers)
    this.#host.keepAlive.add(response)
    if (!this.#primes || this.log.last > 0) return ''
    const primed = this.log.prime(retryMs)
    this.#sent = this.log.last
    return primed
  }

  get #headers(): HeaderList {
    return withHeaders(eventStreamHeaders, this.#extraHeaders)
  }

  #close(text?: string): void {
    const response = this.#response
    if (response === undefined) return
    this.#detach(response)
    if (text !== undefined) this.#sent = this.log.last
    response.end(text)
    this.#host.sent(response)
  }

  #detach(response: HttpResponse): void {
    this.#host.keepAlive.delete(response)
    if (this.#response === response) this.#response = undefined
  }
}

function withHeaders(headers: HeaderList, extra: HeaderList): HeaderList {
  return extra.length === 0 ? headers : [...headers, ...extra]
}
