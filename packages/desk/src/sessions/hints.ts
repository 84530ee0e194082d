// What nodes tell each other: that something happened, to a session and to those whom it is for. A hint may be lost; what it
// is about is in the store, and whoever depends on it looks there by itself in a while.
import type { Clock } from 'beckon'
import type { JsonValue, Store, Unsubscribe } from 'beckon/store'
import { type Token, tokensOf, tokensOfSession } from '../index/tokens.js'
import { askOf } from '../model/events.js'
import type { Happened } from '../model/happened.js'
import { findAsk } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'

export interface HintsOptions {
  readonly store: Store
  readonly name: string
  readonly node: string
  readonly clock: Clock
}

interface Topic {
  readonly listeners: Set<(session: string) => void>
  /** Rejects while the store is away; then there is another a while later. */
  subscribed: Promise<Unsubscribe>
}

const retryMs = 5_000

/** What is to be said of a session. */
interface Pending {
  readonly topics: Set<string>
  /** It was not there before any of this, so that nobody can follow it. */
  readonly isNew: boolean
}

export class Hints {
  readonly #options: HintsOptions
  readonly #topics = new Map<string, Topic>()
  readonly #pending = new Map<string, Pending>()

  constructor(options: HintsOptions) {
    this.#options = options
  }

  /** Told that something happened to a session, on another node. */
  onSession(id: string, listener: (session: string) => void): () => void {
    return this.#listen(sessionTopic(id), listener)
  }

  /** Told of sessions in which something happened to an ask for a token, on another node. */
  onToken(token: Token, listener: (session: string) => void): () => void {
    return this.#listen(tokenTopic(token), listener)
  }

  /** Told that asks ended that somebody waits for on this node. */
  onEnded(listener: () => void): () => void {
    return this.#listen(nodeTopic(this.#options.node), listener)
  }

  /** Resolves when what is said of a session from now on is heard. */
  async ready(id: string): Promise<void> {
    await this.#topics.get(sessionTopic(id))?.subscribed
  }

  /** Tells the other nodes of an event that was written here, once for all that were written with it. */
  publish({ id, event, before, after }: Happened): void {
    const { node } = this.#options
    const pending = this.#pending.get(id) ?? this.#begin(id, before === undefined)
    const session = after ?? before
    if (session?.isCall === false && listed.has(event.type))
      for (const token of tokensOfSession(session)) pending.topics.add(tokenTopic(token))
    for (const ask of asksIn({ id, event, before, after })) {
      for (const token of tokensOf(ask.policy)) pending.topics.add(tokenTopic(token))
      if (ask.policy.owner === undefined)
        for (const token of (ask.formers ?? []).flatMap(tokensOf)) pending.topics.add(tokenTopic(token))
      if (ask.node !== node && !after?.open.has(ask.id)) pending.topics.add(nodeTopic(ask.node))
    }
  }

  async close(): Promise<void> {
    const topics = [...this.#topics.values()]
    this.#topics.clear()
    await Promise.all(topics.map(({ subscribed }) => subscribed.then(stop => stop()).catch(() => {})))
  }

  #listen(name: string, listener: (session: string) => void): () => void {
    const topic = this.#topics.get(name) ?? this.#subscribe(name)
    // The same listener may be there twice.
    const one = (session: string) => listener(session)
    topic.listeners.add(one)
    return () => {
      topic.listeners.delete(one)
      if (topic.listeners.size > 0 || this.#topics.get(name) !== topic) return
      this.#topics.delete(name)
      topic.subscribed.then(stop => stop()).catch(() => {})
    }
  }

  #subscribe(name: string): Topic {
    const { store, name: desk, node } = this.#options
    const listeners = new Set<(session: string) => void>()
    const subscribe = () =>
      store.subscribe(`${desk}/${name}`, message => {
        const { s, n } = (message ?? {}) as { s?: JsonValue; n?: JsonValue }
        if (n !== node && typeof s === 'string') for (const listener of [...listeners]) listener(s)
      })
    const topic: Topic = { listeners, subscribed: subscribe() }
    this.#topics.set(name, topic)
    this.#untilSubscribed(name, topic, subscribe)
    return topic
  }

  /** The store may be away when someone begins to listen, and they may listen for days. */
  #untilSubscribed(name: string, topic: Topic, subscribe: () => Promise<Unsubscribe>): void {
    topic.subscribed.catch(() => {
      this.#options.clock.after(retryMs, () => {
        if (this.#topics.get(name) !== topic) return
        topic.subscribed = subscribe()
        this.#untilSubscribed(name, topic, subscribe)
      })
    })
  }

  #begin(id: string, isNew: boolean): Pending {
    const pending: Pending = { topics: new Set(), isNew }
    this.#pending.set(id, pending)
    queueMicrotask(() => this.#flush(id, pending))
    return pending
  }

  #flush(id: string, { topics, isNew }: Pending): void {
    const { store, name, node } = this.#options
    this.#pending.delete(id)
    if (!isNew) topics.add(sessionTopic(id))
    for (const topic of topics) store.publish(`${name}/${topic}`, { s: id, n: node }).catch(() => {})
  }
}

/** What changes a session that somebody made where it is listed. What happens to its asks is told to those whom they are for. */
const listed: ReadonlySet<Happened['event']['type']> = new Set([
  'created',
  'titleChanged',
  'marked',
  'turnStarted',
  'turnEnded',
  'disposed',
])

/** The asks that an event is about: one, or with a turn or a session all that were open. */
function asksIn({ event, before, after }: Happened): Ask[] {
  const id = askOf(event)
  if (id !== undefined) return [before, after].flatMap(session => found(session, id))
  if (event.type === 'reported') return after === undefined ? [] : [...after.open.values(), ...after.ended]
  return before === undefined ? [] : [...before.open.values()].filter(ask => !after?.open.has(ask.id))
}

function found(session: Session | undefined, id: string): Ask[] {
  const ask = session && findAsk(session, id)
  return ask === undefined ? [] : [ask]
}

function sessionTopic(id: string): string {
  return `session/${id}`
}

function tokenTopic(token: Token): string {
  return `token/${token}`
}

function nodeTopic(node: string): string {
  return `node/${node}`
}
