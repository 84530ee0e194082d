import type { Exchange, HeaderList } from '../exchange/exchange.js'
import type { SharedInterval } from '../shared-interval.js'
import { SessionStream } from './session-stream.js'

/** How many streams that ended a client may still ask for the last events of. */
const maxEndedStreams = 4

/** The name of the GET stream. Those of POSTs are counted from 1. */
const standingName = '0'

export interface StreamsContext {
  readonly keepAlive: SharedInterval<Exchange>
  /** Whether the client knows events without data. */
  readonly primes: () => boolean
  /** What is sent with the next response. */
  readonly headers: () => HeaderList
  /** Counts the bytes that events hold more, or fewer. */
  readonly hold: (bytes: number) => void
  /** Told of every connection that something was sent on. */
  readonly sent: (exchange: Exchange) => void
}

/** The streams of a session: the GET stream, those of requests that wait, and the last few that ended. */
export class SessionStreams {
  readonly #context: StreamsContext
  readonly #byName = new Map<string, SessionStream>()
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

  /** A new stream, for a POST. */
  add(): SessionStream {
    this.#count += 1
    return this.#add(`${this.#count}`)
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

  #add(name: string): SessionStream {
    const { keepAlive, primes, headers, hold, sent } = this.#context
    const holdEvents = (bytes: number): void => {
      this.#eventBytes += bytes
      hold(bytes)
    }
    const stream = new SessionStream({ name, primes: primes(), headers: headers(), keepAlive, hold: holdEvents, sent })
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
