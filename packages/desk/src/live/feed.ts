// Tells subscribers what happens, as it happens. Every action is written once for all who listen in a dialect.

import { dropOldest } from '@beckon/core'
import {
  asksChannel,
  channelsOf,
  chatDialects,
  type Dialect,
  dialects,
  type LiveAction,
  type LiveNotifications,
  rootChannel,
} from '@beckon/core/live'
import type { Clock } from 'beckon'
import { type Addressed, actionsOf } from '../dialects/actions.js'
import { asksActions, entriesOf } from '../dialects/asks.js'
import { encodeListed, encodeListedChanges } from '../dialects/listed.js'
import { encodeChat } from '../dialects/states.js'
import { tokensOfAll } from '../index/tokens.js'
import type { Stamp } from '../model/events.js'
import type { Ask, Session } from '../model/session.js'
import type { MembersOf } from '../policy/approval.js'
import { maySee, type Person, seenBy } from '../policy/audience.js'
import type { Audiences } from '../sessions/audiences.js'
import type { Sessions, Told } from '../sessions/sessions.js'
import type { Connection } from './connection.js'
import { closeCodes } from './limits.js'
import { encodeAction, encodeEnvelope, encodeLive } from './notifications.js'
import type { Numbers } from './numbers.js'
import { Replay, type Replayed } from './replay.js'
import { Subscribers } from './subscribers.js'
import { tellTurns } from './turns.js'

/** Sessions of other nodes that lists were told of. */
const maxListed = 10_000
/** An ask that ended longer ago was told of, or nobody here knew it. */
const lateMs = 60_000

export interface FeedOptions {
  readonly sessions: Sessions
  readonly audiences: Audiences
  readonly membersOf: MembersOf
  readonly numbers: Numbers
  readonly clock: Clock
}

type RootNotification = 'root/sessionAdded' | 'root/sessionRemoved' | 'root/sessionSummaryChanged'

interface Action extends Omit<Addressed, 'action'> {
  /** Made when somebody is to be told. */
  readonly action: () => LiveAction
  /** The asks that it is about, on the channel of all asks: only those need to be looked at who are asked one of them. */
  readonly about?: readonly Ask[]
}

export class Feed {
  readonly subscribers: Subscribers
  readonly #options: FeedOptions
  readonly #replay = new Replay()
  readonly #stops: readonly (() => void)[]
  readonly #listed = new Set<string>()
  readonly #recorders = new Set<Set<string>>()

  constructor(options: FeedOptions) {
    const { sessions, audiences, numbers, clock } = options
    this.#options = options
    this.subscribers = new Subscribers({
      clock,
      onFollowed: (channel, dialect) => this.#replay.begin(keyOf(channel, dialect), numbers.last),
      onLeft: (channel, dialect) => this.#replay.forget(keyOf(channel, dialect)),
    })
    this.#stops = [
      sessions.listen(told => this.#happened(told)),
      sessions.onReset((id, before) => this.#reset(id, before)),
      audiences.onAnnounced(session => this.#announce(session)),
    ]
  }

  close(): void {
    for (const stop of this.#stops) stop()
    this.subscribers.close()
  }

  /** Notes every session that something happens to, until it is stopped. */
  record(): { readonly sessions: ReadonlySet<string>; stop(): void } {
    const sessions = new Set<string>()
    this.#recorders.add(sessions)
    return { sessions, stop: () => this.#recorders.delete(sessions) }
  }

  /** What a client that comes back has missed on a channel; undefined when that is not known any more. */
  missed(channel: string, dialect: Dialect, seq: number, person: Person): Replayed[] | undefined {
    return this.#replay.after(keyOf(channel, dialect), seq, person)
  }

  #happened(told: Told): void {
    const { id, event, before, after } = told
    for (const recorder of this.#recorders) recorder.add(id)
    if (event.type === 'disposed') {
      this.#removed(id, before)
      return
    }
    if (event.type === 'truncated' && before !== undefined) this.#giveTurns(before)
    const channels = channelsOf(id)
    const onSession = this.subscribers.followedIn(channels.session)
    const onChat = this.subscribers.followedIn(channels.chat)
    if (onSession.size + onChat.size > 0)
      for (const dialect of dialects)
        if (onSession.has(dialect) || onChat.has(dialect))
          for (const { action, ...addressed } of actionsOf(told, dialect))
            this.#send({ ...addressed, action: () => action }, [dialect], event.origin)
    if (this.subscribers.followedIn(asksChannel).size > 0)
      for (const { action, about, isFor } of asksActions(told, this.#options.membersOf))
        this.#send({ channel: asksChannel, action, about, isFor }, dialects, event.origin)
    this.#list(id, before, after)
  }

  #send({ channel, action, about, isFor }: Action, to: readonly Dialect[], origin?: Stamp['origin']): void {
    const { subscribers } = this
    const followed = subscribers.followedIn(channel)
    const tokens = about && tokensOfAll(about)
    let told: { readonly seq: number; readonly envelope: string; readonly frame: Buffer } | undefined
    for (const dialect of to) {
      if (!followed.has(dialect)) continue
      const listeners = tokens ? subscribers.underTokens(tokens, dialect) : subscribers.of(channel, dialect)
      // Most asks are for people on other nodes.
      if (listeners === undefined) continue
      told ??= this.#encode(channel, action(), origin)
      const { seq, envelope, frame } = told
      this.#replay.add(keyOf(channel, dialect), { channel, seq, envelope, isFor })
      for (const listener of listeners) if (isFor === undefined || isFor(listener.viewer)) listener.tell(frame, seq)
    }
  }

  #encode(channel: string, action: LiveAction, origin: Stamp['origin']) {
    const seq = this.#options.numbers.next()
    const envelope = encodeEnvelope({ channel, action, serverSeq: seq, ...(origin && { origin }) })
    return { seq, envelope, frame: Buffer.from(encodeAction(envelope)) }
  }

  /** What is about to happen may name a turn that some do not have yet. */
  #giveTurns(session: Session): void {
    const { chat } = channelsOf(session.id)
    for (const dialect of chatDialects)
      for (const connection of this.subscribers.of(chat, dialect)) {
        if (!connection.subscriptions.get(chat)?.isPartial) continue
        const all = encodeChat(session, seenBy(connection.viewer), dialect)
        tellTurns(connection, chat, all, this.#options.numbers.next())
      }
  }

  /** Tells lists of a session that is new to someone, or whose title or status changed. */
  #list(id: string, before: Session | undefined, after: Session | undefined): void {
    if (after === undefined || !this.#isListed()) return
    const { session } = channelsOf(id)
    const wasListed = before !== undefined
    this.#notify(
      'root/sessionAdded',
      dialect => ({ channel: rootChannel, summary: encodeListed(after, dialect) }),
      person => maySee(after, person) && !maySee(before, person),
    )
    if (!wasListed) return
    const [was, is] = [encodeListedChanges(before, '1.0'), encodeListedChanges(after, '1.0')]
    // That it was only touched is not worth a message: every draft does that.
    if (was.title === is.title && was.status === is.status) return
    this.#notify(
      'root/sessionSummaryChanged',
      dialect => ({ channel: rootChannel, session, changes: encodeListedChanges(after, dialect) }),
      person => maySee(after, person) && maySee(before, person),
    )
  }

  #removed(id: string, before: Session | undefined): void {
    const channels = channelsOf(id)
    const isFor = (person: Person) => maySee(before, person)
    this.#listed.delete(id)
    const removed = { type: 'session/chatRemoved', chat: channels.chat } as const
    this.#send({ channel: channels.session, action: () => removed, isFor }, chatDialects)
    this.#notify('root/sessionRemoved', () => ({ channel: rootChannel, session: channels.session }), isFor)
    for (const channel of [channels.session, channels.chat]) {
      this.subscribers.drop(channel)
      // A session of the same name is another one: nobody comes back to this.
      for (const dialect of dialects) this.#beginAnew(channel, dialect)
    }
    // A client that knows of none of its asks has nothing to forget.
    const about = before === undefined ? [] : [...before.open.values(), ...before.ended]
    const action = () => ({ type: 'asks/sessionRemoved', session: id }) as const
    this.#send({ channel: asksChannel, action, about, isFor }, dialects)
  }

  /** A session was read anew: nobody can say what was missed, so that a client that followed it has to look again. */
  #reset(id: string, before: Session | undefined): void {
    const after = this.#options.sessions.known(id)
    const { session, chat } = channelsOf(id)
    const isConcerned = ({ viewer }: Connection) => maySee(before, viewer) || maySee(after, viewer)
    for (const dialect of dialects) {
      for (const channel of [session, chat]) this.#lookAnew(channel, dialect, () => true)
      this.#lookAnew(asksChannel, dialect, isConcerned)
    }
  }

  #lookAnew(channel: string, dialect: Dialect, isConcerned: (connection: Connection) => boolean): void {
    this.#beginAnew(channel, dialect)
    for (const connection of [...this.subscribers.of(channel, dialect)])
      if (isConcerned(connection))
        connection.end(closeCodes.tooSlow, 'The desk has reloaded this. Reconnect to get what was missed.')
  }

  /** What was told on a channel so far is of no use to a client that comes back. */
  #beginAnew(channel: string, dialect: Dialect): void {
    this.#replay.forget(keyOf(channel, dialect))
    if (this.subscribers.followedIn(channel).has(dialect))
      this.#replay.begin(keyOf(channel, dialect), this.#options.numbers.next())
  }

  /** Tells of a session that was not in memory, as it is now. */
  #announce(session: Session): void {
    for (const recorder of this.#recorders) recorder.add(session.id)
    const { clock, membersOf } = this.#options
    if (this.#isListed() && !this.#listed.has(session.id)) {
      this.#remember(session.id)
      this.#list(session.id, undefined, session)
    }
    if (this.subscribers.followedIn(asksChannel).size === 0) return
    for (const { action, about, isFor } of entriesOf(session, clock.now() - lateMs, membersOf))
      this.#send({ channel: asksChannel, action, about, isFor }, dialects)
  }

  #remember(id: string): void {
    this.#listed.add(id)
    dropOldest(this.#listed, maxListed)
  }

  #isListed(): boolean {
    return dialects.some(dialect => this.subscribers.of(rootChannel, dialect).size > 0)
  }

  #notify<M extends RootNotification>(
    method: M,
    paramsIn: (dialect: Dialect) => LiveNotifications[M],
    isFor: (person: Person) => boolean,
  ): void {
    for (const dialect of dialects) {
      const listeners = this.subscribers.of(rootChannel, dialect)
      if (listeners.size === 0) continue
      const frame = Buffer.from(encodeLive(method, paramsIn(dialect)))
      for (const listener of listeners) if (isFor(listener.viewer)) listener.tell(frame)
    }
  }
}

function keyOf(channel: string, dialect: Dialect): string {
  return `${dialect} ${channel}`
}
