// What nodes tell each other: that something happened, to a session and to those whom it is for. A hint may be lost; what it
// is about is in the store, and a node that depends on it looks there by itself in a while.
//
// All nodes of a desk listen to one topic, and each leaves alone what nobody there waits for: what a node has to say of all
// sessions that changed in a turn of its event loop is a message or two, however many people these are for.
//
// A node that listens says so every minute, and asks who else does when it begins to. One that hears nobody is alone, and says nothing:
// on most desks that is every hint there would be.
//
// A hint has with it what was appended, where that is short and another node has said lately that it listens: then nobody has to
// read it. It is sealed as the log is, for its session: anyone who can write to the store can lose hints, double them and send them
// again, and what does not go on from what a node knows is read. Not defended, as for the store itself: the beginning of a
// session that is gone, sent again to a node that does not know it.
import type { Clock } from 'beckon'
import type { JsonValue, LogEntry, SealedStore, Store } from 'beckon/store'
import { Watch } from 'beckon/store/handles'
import type { Token } from '../index/tokens.js'
import type { Happened } from '../model/happened.js'
import { itself, nodeSubject, sessionSubject, subjectsOf, tokenSubject } from './hint-subjects.js'

/** What seals what goes with hints. */
export type HintSeal = Pick<SealedStore, 'sealFor' | 'openFrom'>

export interface HintsOptions {
  readonly store: Store
  readonly node: string
  readonly clock: Clock
  /** Without one it goes as it is: for stores that are not sealed. */
  readonly seal?: HintSeal | undefined
  /** Takes what was appended to a session elsewhere; false when it has to be read. */
  readonly take: (session: string, entries: readonly LogEntry[]) => boolean
}

type Listener = (session: string) => void

/** What is to be said of a session, and what was appended to it. */
interface Pending {
  readonly subjects: Set<string>
  readonly entries: LogEntry[]
}

interface Message {
  readonly n?: JsonValue
  /** The number of the message, of its node. */
  readonly i?: JsonValue
  readonly h?: JsonValue
  /** What was appended, for each hint: a list, since names that never come again are dear as keys. */
  readonly e?: JsonValue
  /** Who says this would have liked to have that. */
  readonly w?: JsonValue
  /** Who says this has begun to listen, and does not know who else does. */
  readonly a?: JsonValue
}

/** Of JSON in a message: a store takes 7,500 bytes. */
const maxChars = 7_200
/** Subjects that are said of a session at once: each has about 45 characters. */
const maxSubjects = 30
/** So often a node says that it listens, and so long it counts. */
const wantEveryMs = 60_000
const wantedMs = 10 * 60_000
const maxNodes = 1_000
/** So often a node that listens says so anyway, and so long it counts. */
const presentEveryMs = 60_000
const presentMs = 3 * 60_000
/** Time to say so for those who were asked. */
const introducedMs = 5_000
/** Of JSON around a hint and what goes with it. */
const besideHint = 10
const nobody: readonly Listener[] = []

export class Hints {
  readonly #options: HintsOptions
  /** By what they wait for. */
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #lostListeners = new Set<() => void>()
  readonly #watch: Watch
  /** What is to be said of sessions. */
  #pending = new Map<string, Pending>()
  #sent = 0
  /** The number of the last message of each other node. */
  readonly #heard = new Map<string, number>()
  #wantedUntil = Number.NEGATIVE_INFINITY
  #saidAt = Number.NEGATIVE_INFINITY
  /** When nobody else is there, unless somebody is heard: never, for a node that does not listen. */
  #aloneFrom = Number.POSITIVE_INFINITY
  /** Whether something was not said for that: should somebody have been there, they see that a message is missing. */
  #isSilent = false
  #isClosed = false

  constructor(options: HintsOptions) {
    this.#options = options
    const { store, clock } = options
    this.#watch = new Watch({
      store,
      clock,
      topic: this.#topic,
      everyMs: presentEveryMs,
      look: () => this.#sayPresent(),
      onHint: message => this.#hear(message),
      onHeard: () => this.#introduce(),
    })
  }

  /** Told that something happened to a session, on another node. */
  onSession(id: string, listener: Listener): () => void {
    return this.#listen(sessionSubject(id), listener)
  }

  /** Told of sessions in which something happened to an ask for a token, on another node. */
  onToken(token: Token, listener: Listener): () => void {
    return this.#listen(tokenSubject(token), listener)
  }

  /** Told of sessions in which an ask ended that somebody waits for on this node. */
  onEnded(listener: Listener): () => void {
    return this.#listen(nodeSubject(this.#options.node), listener)
  }

  /** Told that something which others said was not heard here. */
  onLost(listener: () => void): () => void {
    this.#lostListeners.add(listener)
    return () => this.#lostListeners.delete(listener)
  }

  /** Resolves when what is said from now on is heard. Rejects while the store is away. */
  ready(): Promise<void> {
    return this.#watch.heard()
  }

  /** Tells the other nodes of an event that was written here, once for all that were written with it. */
  publish(happened: Happened): void {
    if (this.#isAlone) {
      this.#isSilent = true
      return
    }
    const { subjects } = this.#pendingOf(happened.id)
    for (const subject of subjectsOf(happened, this.#options.node)) subjects.add(subject)
  }

  /** What the events were appended as that are published in this turn. */
  appended(id: string, entries: readonly LogEntry[]): void {
    if (!this.#isAlone && this.#options.clock.now() < this.#wantedUntil) this.#pendingOf(id).entries.push(...entries)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#listeners.clear()
    this.#lostListeners.clear()
    await this.#watch.stop()
  }

  #listen(subject: string, listener: Listener): () => void {
    if (!this.#isClosed) this.#watch.start()
    const listeners = this.#listeners.get(subject) ?? new Set()
    // The same listener may be there twice.
    const one: Listener = session => listener(session)
    this.#listeners.set(subject, listeners.add(one))
    return () => {
      listeners.delete(one)
      if (listeners.size === 0 && this.#listeners.get(subject) === listeners) this.#listeners.delete(subject)
    }
  }

  /** Says that this node listens, and asks who else does. */
  #introduce(): void {
    const { clock } = this.#options
    this.#aloneFrom = clock.now() + introducedMs
    this.#send({ h: [], a: true })
    clock.after(introducedMs / 2, () => {
      if (!this.#isClosed) this.#send({ h: [], a: true })
    })
  }

  #sayPresent(): void {
    if (this.#aloneFrom !== Number.POSITIVE_INFINITY) this.#send({ h: [] })
  }

  get #isAlone(): boolean {
    return this.#options.clock.now() >= this.#aloneFrom
  }

  #hear(message: JsonValue): void {
    const { n: node, i: number, h: hints, e: appended, w: isWanted, a: isNew } = (message ?? {}) as Message
    if (node === this.#options.node || typeof node !== 'string' || !Array.isArray(hints)) return
    const now = this.#options.clock.now()
    this.#aloneFrom = now + presentMs
    if (isWanted === true) this.#wantedUntil = now + wantedMs
    if (isNew === true) this.#send({ h: [] })
    this.#count(node, Number(number))
    const texts = Array.isArray(appended) ? appended : []
    for (const [index, hint] of hints.entries()) {
      if (!Array.isArray(hint)) continue
      const [session] = hint
      const listeners = typeof session === 'string' ? this.#listenersTo(session, hint) : nobody
      // Most of what is said concerns nobody here.
      if (typeof session !== 'string' || listeners.length === 0) continue
      this.#want()
      const text = texts[index]
      if (typeof text === 'string' && this.#isTaken(session, text)) continue
      for (const listener of listeners) listener(session)
    }
  }

  #listenersTo(session: string, [, ...subjects]: readonly JsonValue[]): readonly Listener[] {
    let found: readonly Listener[] = nobody
    for (const subject of subjects) {
      const listeners = this.#listeners.get(subject === itself ? sessionSubject(session) : String(subject))
      if (listeners !== undefined) found = [...found, ...listeners]
    }
    return found
  }

  /** Messages of a node come in order: a number that is left out was lost. */
  #count(node: string, number: number): void {
    const last = this.#heard.get(node)
    if (this.#heard.size >= maxNodes && last === undefined) this.#heard.clear()
    this.#heard.set(node, number)
    if (last !== undefined && number !== last + 1) for (const listener of this.#lostListeners) listener()
  }

  #isTaken(session: string, text: string): boolean {
    const { seal, take } = this.#options
    try {
      const entries = seal === undefined ? JSON.parse(text) : seal.openFrom(this.#placeOf(session), text)
      // Only a node of this desk can have sealed it, as such a list.
      return take(session, entries as unknown as LogEntry[])
    } catch {
      return false
    }
  }

  /** Says every now and then that hints are of use here. */
  #want(): void {
    const { clock } = this.#options
    if (clock.now() - this.#saidAt < wantEveryMs) return
    this.#saidAt = clock.now()
    this.#send({ h: [], w: true })
  }

  #pendingOf(id: string): Pending {
    if (this.#pending.size === 0) setImmediate(() => this.#flush())
    const pending = this.#pending.get(id) ?? { subjects: new Set(), entries: [] }
    this.#pending.set(id, pending)
    return pending
  }

  #flush(): void {
    const pending = this.#pending
    this.#pending = new Map()
    let hints: string[][] = []
    let texts: (string | null)[] = []
    let chars = 0
    const send = () => {
      if (hints.length > 0) this.#send({ h: hints, ...(texts.some(text => text !== null) && { e: texts }) })
      hints = []
      texts = []
      chars = 0
    }
    for (const [id, { subjects: all, entries }] of pending) {
      const subjects = [...all]
      const text = this.#encode(id, entries)
      const textLength = text === undefined ? Number.POSITIVE_INFINITY : jsonLengthOf(text)
      for (let first = 0; first < subjects.length; first += maxSubjects) {
        const hint = [id, ...subjects.slice(first, first + maxSubjects)]
        const length = hint.reduce((sum, each) => sum + each.length + 3, besideHint)
        // What is too long for a message is left to a read.
        const isBrought = length + textLength <= maxChars
        const more = isBrought ? length + textLength : length
        if (chars + more > maxChars) send()
        hints.push(hint)
        chars += more
        texts.push(isBrought && text !== undefined ? text : null)
      }
    }
    send()
  }

  /** What was appended, sealed; undefined when there is nothing, or it cannot be sealed now. */
  #encode(id: string, entries: readonly LogEntry[]): string | undefined {
    if (entries.length === 0) return undefined
    // Entries are JSON.
    const plain = entries as unknown as JsonValue
    const { seal } = this.#options
    return seal === undefined ? JSON.stringify(plain) : seal.sealFor(this.#placeOf(id), plain)
  }

  #send(message: Readonly<Record<string, JsonValue>>): void {
    const { store, node } = this.#options
    if (this.#isSilent) this.#sent++
    this.#isSilent = false
    store.publish(this.#topic, { n: node, i: ++this.#sent, ...message }).catch(() => {})
  }

  #placeOf(session: string): string {
    return `${this.#topic}/${session}`
  }

  get #topic(): string {
    return 'hints'
  }
}

/** In bytes. What is sealed has no character that would take two. */
function jsonLengthOf(text: string): number {
  return text.startsWith('[') ? Buffer.byteLength(JSON.stringify(text)) : text.length
}
