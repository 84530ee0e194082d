// Tells subscribers what happens, as it happens. Every line is written once for each dialect that someone listens in,
// however many listen.
import type { Dialect } from '../asks/gate.js'
import type { Person } from '../asks/policy.js'
import { type Sight, sightsIn } from '../asks/visibility.js'
import type { Accepted } from '../log/act.js'
import type { Order } from '../log/order.js'
import { channelsOf } from '../state/channels.js'
import { type Entry, encodeChanges, encodeSummary, entryOf } from './catalogue.js'
import { asksChannel, rootChannel } from './channel.js'
import { encodeEnvelope } from './envelope.js'
import { encodeNotification } from './json-rpc.js'
import type { Subscribers } from './subscribers.js'
import { addressedTo } from './tellings.js'

const dialects: readonly Dialect[] = ['older', 'later']

export class Feed {
  readonly #order: Order
  readonly #subscribers: Subscribers
  readonly #stops: readonly (() => void)[]
  /** What lists were told of each session. */
  readonly #told = new Map<string, Entry>()
  readonly #recordings = new Set<Accepted[]>()
  #seq: number
  #sessions: number

  constructor(order: Order, subscribers: Subscribers) {
    this.#order = order
    this.#subscribers = subscribers
    this.#seq = order.seq
    this.#sessions = order.state.size
    this.#stops = [order.listen(lines => this.#hear(lines)), order.onAnew(() => this.#begin())]
  }

  /** The number of the last line that was told: the state is as of this line. */
  get seq(): number {
    return this.#seq
  }

  /** How many sessions there are. */
  get sessions(): number {
    return this.#sessions
  }

  close(): void {
    for (const stop of this.#stops) stop()
  }

  /** Keeps every line that is told, until it is stopped. */
  record(): { readonly lines: readonly Accepted[]; stop(): void } {
    const lines: Accepted[] = []
    this.#recordings.add(lines)
    return { lines, stop: () => this.#recordings.delete(lines) }
  }

  /** Nobody who listens can be told what was missed: whoever made this ends their connections. */
  #begin(): void {
    this.#seq = this.#order.seq
    this.#sessions = this.#order.state.size
    this.#told.clear()
  }

  #hear(lines: readonly Accepted[]): void {
    for (const recording of this.#recordings) for (const line of lines) recording.push(line)
    // Of a session that is gone nobody is told what went before; who might have seen it is not known any more.
    const disposals = new Map<string, number>()
    for (const { act, session, seq } of lines) if (act.type === 'sessionDisposed') disposals.set(session, seq)
    const sightOf = sightsIn(lines)
    for (const line of lines) {
      this.#seq = line.seq
      if (line.act.type === 'sessionCreated') this.#added(line)
      else if (line.act.type === 'sessionDisposed') this.#removed(line)
      else if (line.seq > (disposals.get(line.session) ?? 0))
        this.#happened(line, sightOf(line, this.#order.state.session(line.session)))
    }
    for (const session of new Set(lines.map(line => line.session))) this.#listed(session)
  }

  #happened(line: Accepted, sight: (person: Person) => Sight): void {
    const { seq: serverSeq, origin } = line
    const record = this.#order.state.session(line.session)
    for (const dialect of dialects) {
      for (const { to, channel, action } of addressedTo(line, record, dialect)) {
        const listeners = this.#subscribers.of(channel, dialect)
        if (listeners.size === 0) continue
        const frame = encodeNotification('action', encodeEnvelope({ channel, action, serverSeq, origin }))
        for (const listener of listeners) if (sight(listener.visitor) === to) listener.tell(frame, serverSeq)
      }
    }
  }

  #added({ session, seq }: Accepted): void {
    this.#sessions++
    const record = this.#order.state.session(session)
    if (record === undefined) return
    this.#told.set(session, entryOf(record))
    this.#notify('root/sessionAdded', dialect => ({ summary: encodeSummary(record, dialect) }))
    this.#counted(seq)
  }

  #removed({ session, seq }: Accepted): void {
    this.#sessions--
    this.#told.delete(session)
    const channels = channelsOf(session)
    this.#notify('root/sessionRemoved', () => ({ session: channels.session }))
    this.#subscribers.drop(channels.session)
    this.#subscribers.drop(channels.chat)
    this.#tell(asksChannel, { type: 'asks/sessionRemoved', session }, seq)
    this.#counted(seq)
  }

  #counted(serverSeq: number): void {
    this.#tell(rootChannel, countAction(this.#sessions), serverSeq)
  }

  /** Tells everyone who listens, in either dialect, what the desk did itself. */
  #tell(channel: string, action: object, serverSeq: number): void {
    for (const dialect of dialects) {
      const listeners = this.#subscribers.of(channel, dialect)
      if (listeners.size === 0) continue
      const frame = encodeNotification('action', encodeEnvelope({ channel, action, serverSeq }))
      for (const listener of listeners) listener.tell(frame, serverSeq)
    }
  }

  /** Tells lists of a session that changed. That it was only touched is not worth a message: every draft does that. */
  #listed(session: string): void {
    const record = this.#order.state.session(session)
    if (record === undefined) return
    const before = this.#told.get(session)
    const entry = entryOf(record)
    if (before?.title === entry.title && before.status === entry.status) return
    this.#told.set(session, entry)
    const resource = channelsOf(session).session
    this.#notify('root/sessionSummaryChanged', dialect => ({
      session: resource,
      changes: encodeChanges(entry, dialect),
    }))
  }

  #notify(method: string, paramsIn: (dialect: Dialect) => object): void {
    for (const dialect of dialects) {
      const listeners = this.#subscribers.of(rootChannel, dialect)
      if (listeners.size === 0) continue
      const frame = encodeNotification(method, JSON.stringify({ channel: rootChannel, ...paramsIn(dialect) }))
      for (const listener of listeners) listener.tell(frame)
    }
  }
}

/** How many sessions there are, as the root channel is told. */
export function countAction(activeSessions: number): object {
  return { type: 'root/activeSessionsChanged', activeSessions }
}
