// What nodes tell each other: that something happened, to a session and to those whom it is for. A hint may be lost; what it
// is about is in the store, and whoever depends on it looks there by itself in a while.
//
// All nodes of a desk listen to one topic, and each leaves alone what nobody there waits for: what a node has to say of all
// sessions that changed in a turn of its event loop is a message or two, however many people these are for.
import type { Clock } from 'beckon'
import type { JsonValue, Store, Unsubscribe } from 'beckon/store'
import { type Token, tokensOfAll, tokensOfSession } from '../index/tokens.js'
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

type Listener = (session: string) => void

const retryMs = 5_000
/** Of JSON in a message: a store takes 2,000. */
const maxChars = 1_800
/** Subjects that are said of a session at once: each has about 45 characters. */
const maxSubjects = 30

export class Hints {
  readonly #options: HintsOptions
  /** By what they wait for. */
  readonly #listeners = new Map<string, Set<Listener>>()
  /** Rejects while the store is away; then there is another a while later. */
  #subscribed: Promise<Unsubscribe> | undefined
  /** What is to be said of sessions. */
  #pending = new Map<string, Set<string>>()
  #isClosed = false

  constructor(options: HintsOptions) {
    this.#options = options
  }

  /** Told that something happened to a session, on another node. */
  onSession(id: string, listener: Listener): () => void {
    return this.#listen(sessionSubject(id), listener)
  }

  /** Told of sessions in which something happened to an ask for a token, on another node. */
  onToken(token: Token, listener: Listener): () => void {
    return this.#listen(tokenSubject(token), listener)
  }

  /** Told that asks ended that somebody waits for on this node. */
  onEnded(listener: () => void): () => void {
    return this.#listen(nodeSubject(this.#options.node), listener)
  }

  /** Resolves when what is said from now on is heard. */
  async ready(): Promise<void> {
    await this.#subscribed
  }

  /** Tells the other nodes of an event that was written here, once for all that were written with it. */
  publish({ id, event, before, after }: Happened): void {
    const { node } = this.#options
    const subjects = this.#pendingOf(id)
    // Nobody can follow what was not there before.
    if (before !== undefined) subjects.add(itself)
    const session = after ?? before
    if (session?.isCall === false && listed.has(event.type))
      for (const token of tokensOfSession(session)) subjects.add(tokenSubject(token))
    const asks = asksIn({ id, event, before, after })
    for (const token of tokensOfAll(asks)) subjects.add(tokenSubject(token))
    for (const ask of asks) if (ask.node !== node && !after?.open.has(ask.id)) subjects.add(nodeSubject(ask.node))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#listeners.clear()
    await this.#subscribed?.then(stop => stop()).catch(() => {})
  }

  #listen(subject: string, listener: Listener): () => void {
    if (this.#subscribed === undefined) this.#subscribe()
    const listeners = this.#listeners.get(subject) ?? new Set()
    // The same listener may be there twice.
    const one: Listener = session => listener(session)
    this.#listeners.set(subject, listeners.add(one))
    return () => {
      listeners.delete(one)
      if (listeners.size === 0 && this.#listeners.get(subject) === listeners) this.#listeners.delete(subject)
    }
  }

  /** The store may be away when someone begins to listen, and they may listen for days. */
  #subscribe(): void {
    const { store, clock } = this.#options
    this.#subscribed = store.subscribe(this.#topic, message => this.#hear(message))
    this.#subscribed.catch(() => {
      clock.after(retryMs, () => {
        if (!this.#isClosed) this.#subscribe()
      })
    })
  }

  #hear(message: JsonValue): void {
    const { n: node, h: hints } = (message ?? {}) as { n?: JsonValue; h?: JsonValue }
    if (node === this.#options.node || !Array.isArray(hints)) return
    for (const hint of hints) {
      const [session, ...subjects] = Array.isArray(hint) ? hint : []
      if (typeof session !== 'string') continue
      for (const subject of subjects) {
        const listeners = this.#listeners.get(subject === itself ? sessionSubject(session) : String(subject))
        if (listeners !== undefined) for (const listener of [...listeners]) listener(session)
      }
    }
  }

  #pendingOf(id: string): Set<string> {
    if (this.#pending.size === 0) setImmediate(() => this.#flush())
    const subjects = this.#pending.get(id) ?? new Set()
    this.#pending.set(id, subjects)
    return subjects
  }

  #flush(): void {
    const pending = this.#pending
    this.#pending = new Map()
    let hints: string[][] = []
    let chars = 0
    for (const [id, all] of pending) {
      const subjects = [...all]
      for (let first = 0; first < subjects.length; first += maxSubjects) {
        const hint = [id, ...subjects.slice(first, first + maxSubjects)]
        const length = hint.reduce((sum, text) => sum + text.length + 3, 3)
        if (chars + length > maxChars) {
          this.#send(hints)
          hints = []
          chars = 0
        }
        hints.push(hint)
        chars += length
      }
    }
    if (hints.length > 0) this.#send(hints)
  }

  #send(hints: readonly string[][]): void {
    const { store, node } = this.#options
    store.publish(this.#topic, { n: node, h: hints.map(hint => [...hint]) }).catch(() => {})
  }

  get #topic(): string {
    return `${this.#options.name}/hints`
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

/** The session that a hint is of, and not only those whom it asks. */
const itself = 's'

function sessionSubject(id: string): string {
  return `s/${id}`
}

function tokenSubject(token: Token): string {
  return `t/${token}`
}

function nodeSubject(node: string): string {
  return `n/${node}`
}
