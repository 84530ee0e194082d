import type { RequestId } from '../../protocol/messages.js'
import { HeldMap } from '../../runtime/held-map.js'
import type { HeaderList, HttpResponse } from '../exchange/exchange.js'
import type { SharedInterval } from '../shared-interval.js'
import { eventIdSuffix, standingName } from './event-id.js'
import { SessionStream, type StreamHost } from './session-stream.js'
import type { LoggedMessage } from './stream-replay-buffer.js'

/** How many streams that ended a client may still ask for the last events of. */
const maxEndedStreams = 4

export interface StreamsContext {
  /** This node, where there are others. */
  readonly node: string | undefined
  readonly keepAlive: SharedInterval<HttpResponse>
  /** Whether the client knows events without data. */
  readonly primes: () => boolean
  /** What is sent with the next response. */
  readonly headers: () => HeaderList
  /** Counts the bytes that events hold more, or fewer. */
  readonly hold: (bytes: number) => void
  /** Told of every connection that something was sent on. */
  readonly sent: (response: HttpResponse) => void
}

/** The streams of a session: the GET stream, those of requests that wait, and the last few that ended. */
export class SessionStreams implements StreamHost {
  readonly #context: StreamsContext
  readonly #byName = new HeldMap<string, SessionStream>()
  readonly #ended: SessionStream[] = []
  #count = 0
  #eventBytes = 0

  constructor(context: StreamsContext) {
    this.#context = context
  }

  get(name: string): SessionStream | undefined {
    return this.#byName.get(name)
  }

  /** The GET stream. */
  get standing(): SessionStream {
    return this.#byName.get(standingName) ?? this.#add(standingName)
  }

  /** A new stream, for a POST with these requests. */
  add(requests: readonly RequestId[]): SessionStream {
    this.#count += 1
    return this.#add(`${this.#count}`, requests)
  }

  /** Lets go of the GET stream. Gives what was not sent on it. */
  dropStanding(): LoggedMessage[] {
    const standing = this.#byName.get(standingName)
    const unsent = standing?.unsent ?? []
    if (standing !== undefined) this.abandon(standing)
    return unsent
  }

  get isAttached(): boolean {
    for (const stream of this.#byName.values()) if (stream.isAttached) return true
    return false
  }

  /** A stream that is over stays a while, for a client that lost its connection near the end. */
  retire(stream: SessionStream): void {
    if (!stream.isResumable) this.#drop(stream)
    else if (this.#ended.push(stream) > maxEndedStreams) this.#dropEnded()
  }

  /** Ends a stream with nothing more to say. */
  abandon(stream: SessionStream): void {
    stream.abandon()
    this.#drop(stream)
  }

  abandonAll(): void {
    for (const stream of [...this.#byName.values()]) this.abandon(stream)
    this.#ended.length = 0
  }

  /** What the events take that are kept for a client that comes back. */
  get eventBytes(): number {
    return this.#eventBytes
  }

  /** Drops events of so many bytes at least: notifications first, then streams that are over, then the oldest. */
  dropEvents(bytes: number): void {
    const enough = this.#eventBytes - bytes
    const isEnough = (): boolean => this.#eventBytes <= enough
    for (const { log } of this.#byName.values()) while (!isEnough() && log.dropNotification());
    while (!isEnough() && this.#dropEnded());
    for (const { log } of this.#byName.values()) while (!isEnough() && log.dropOldest());
  }

  get keepAlive(): SharedInterval<HttpResponse> {
    return this.#context.keepAlive
  }

  hold(bytes: number): void {
    this.#eventBytes += bytes
    this.#context.hold(bytes)
  }

  sent(response: HttpResponse): void {
    this.#context.sent(response)
  }

  #add(name: string, requests?: readonly RequestId[]): SessionStream {
    const { node, primes, headers } = this.#context
    const suffix = eventIdSuffix(node, requests)
    const stream = new SessionStream(this, { name, suffix, primes: primes(), headers: headers() })
    this.#byName.set(name, stream)
    return stream
  }

  #dropEnded(): boolean {
    const oldest = this.#ended.shift()
    if (oldest !== undefined) this.#drop(oldest)
    return oldest !== undefined
  }

  #drop(stream: SessionStream): void {
    this.#byName.delete(stream.name)
    stream.log.clear()
  }
}
