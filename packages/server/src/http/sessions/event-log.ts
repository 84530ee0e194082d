import { eventOf } from '../reply-with.js'

interface LoggedEvent {
  readonly number: number
  readonly text: string
  readonly isNotification: boolean
}

const maxEvents = 1_000
const maxChars = 1024 * 1024

/**
 * The events of one stream, so that a client whose connection broke can have those that it missed. Bounded: notifications
 * go first, since a question or a result that is lost ends a call badly. The newest event is always there.
 */
export class EventLog {
  readonly #stream: string
  #events: LoggedEvent[] = []
  #chars = 0
  #last = 0

  /** @param stream What tells the ids of this stream from those of others. */
  constructor(stream: string) {
    this.#stream = stream
  }

  /** An event without data, which gives a client an id to come back with. */
  prime(retryMs: number): string {
    return `id: ${this.#nextId()}\nretry: ${retryMs}\ndata: \n\n`
  }

  append(json: string, isNotification: boolean): string {
    const text = eventOf(json, this.#nextId())
    this.#events.push({ number: this.#last, text, isNotification })
    this.#chars += text.length
    while (this.#events.length > maxEvents || (this.#chars > maxChars && this.#events.length > 1)) this.#drop()
    return text
  }

  /** The number of the newest event. */
  get last(): number {
    return this.#last
  }

  /** The events after one, as they were sent. */
  *after(number: number): Generator<string> {
    for (const event of this.#events) if (event.number > number) yield event.text
  }

  #nextId(): string {
    this.#last += 1
    return `${this.#stream}-${this.#last}`
  }

  #drop(): void {
    const notification = this.#events.slice(0, -1).findIndex(event => event.isNotification)
    const [dropped] = this.#events.splice(Math.max(notification, 0), 1)
    this.#chars -= dropped?.text.length ?? 0
  }
}

/** The stream and the number in an event id; undefined when it is none of ours. */
export function parseEventId(id: string): { stream: string; number: number } | undefined {
  const [, stream, number] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? []
  return stream === undefined ? undefined : { stream, number: Number(number) }
}
