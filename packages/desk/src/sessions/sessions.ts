// The sessions of a desk. Each is the unit of order: what happens to one is decided against it, written after what is known
// of it, and then told; none waits for another.
//
// S1 Nothing is told, refusals included, before it is in the store, or known to rest on what is in the store. What a hint brings is
//    told without a look there: the node that sent it had its append acknowledged, and sealed it.
// S2 What is told of a session is told in the order of its log, each event once; what a hint brings only where it goes on from what
//    is known.
// S3 A session is loaded when it is needed, and dropped when nobody needs it: how many there are costs nothing.
// S4 A session whose log is not the one that was known is read anew, and those who follow it are told so. A hint of what the log
//    has lost since leaves a node as one that read it before: the next read or append shows it.
// S5 What was written here, and never heard of, is read as soon as the store can be: anyone who waits here is told by nobody else.

import type { Rejection } from '@beckon/core/live'
import type { Clock } from 'beckon'
import type { LogEntry, Store } from 'beckon/store'
import { type Change, EventLog, replayEvents } from 'beckon/store/handles'
import type { AskIndex } from '../index/ask-index.js'
import type { SessionEvent } from '../model/events.js'
import type { Happened } from '../model/happened.js'
import { reduce } from '../model/reduce.js'
import type { Session } from '../model/session.js'
import { decodeSession, encodeSession } from '../model/snapshot.js'
import { type HintSeal, Hints } from './hints.js'

/** What a change comes to: events to write, a reason why not, or both. No events and no reason: there is nothing to do. */
export interface Decision {
  readonly events?: readonly SessionEvent[]
  readonly refused?: Rejection
}

/** What became of a change. */
export type Settled =
  | {
      readonly kind: 'accepted'
      readonly events: readonly SessionEvent[]
      /** As it is by now. */
      readonly session: Session | undefined
    }
  | ({ readonly kind: 'refused' } & Rejection)

/** Something that happened, by a name that no other event has. */
export interface NamedEvent extends Happened {
  readonly eventId: string
}

/** Something that happened, and whether it was written here. */
export interface Told extends NamedEvent {
  readonly isOwn: boolean
}

export interface SessionsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly index: AskIndex
  /** This node, as others know it. */
  readonly node: string
  /** What seals what goes with hints, where the store is sealed. */
  readonly seal?: HintSeal | undefined
  /** Whether nobody else has the store: then there is no node to give hints to. */
  readonly isAlone?: boolean | undefined
  /** How long a call that is over is kept. */
  readonly keepMs: number
  /** How many sessions that nobody follows stay in memory. */
  readonly maxIdle: number
  /** Told of the faults of those who listen: what is stored is stored, and they do not undo it. */
  readonly onError: (error: unknown) => void
}

interface Loaded {
  readonly log: EventLog<Session | undefined, SessionEvent>
  /** Who follows it. */
  uses: number
  /** It was read as it is by now: what led there, nobody here was told. */
  isUntold: boolean
}

const snapshots = { every: 200, encode: encodeSession, decode: decodeSession }
/** The log of a session that was disposed of stays so long, for the nodes that follow it. */
const disposedMs = 60_000
/** After this time the store is asked again what became of a write. By then it was made, or never will be. */
const hearMs = 5_000
/** For logs that are not to go by themselves. */
const never = 8.64e15

export class Sessions {
  readonly #options: SessionsOptions
  readonly #loaded = new Map<string, Loaded>()
  /** Those of them that nobody follows, the last used last. */
  readonly #idle = new Map<string, Loaded>()
  readonly #listeners = new Set<(told: Told) => void>()
  readonly #resetListeners = new Set<(id: string, before: Session | undefined) => void>()
  readonly #strayListeners = new Set<(id: string) => void>()
  readonly hints: Hints
  readonly #hint = (told: Told): void => this.hints.publish(told)
  readonly #hintAppended = (appended: { readonly id: string; readonly entries: readonly LogEntry[] }): void =>
    this.hints.appended(appended.id, appended.entries)
  /** Of reads that are due. */
  readonly #timers = new Set<() => void>()
  #isClosed = false

  constructor(options: SessionsOptions) {
    this.#options = options
    this.hints = new Hints({ ...options, take: (id, entries) => this.#take(id, entries) })
  }

  /** Tells of every event of the sessions that are in memory, in the order of each. */
  listen(listener: (told: Told) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Tells that a session was read anew: what happened to it since, nobody can say. */
  onReset(listener: (id: string, before: Session | undefined) => void): () => void {
    this.#resetListeners.add(listener)
    return () => this.#resetListeners.delete(listener)
  }

  /** Tells that the log of a session has what is no part of it: names went with that. */
  onStray(listener: (id: string) => void): () => void {
    this.#strayListeners.add(listener)
    return () => this.#strayListeners.delete(listener)
  }

  /** A session as far as it is known here; undefined when it is not in memory, too. */
  known(id: string): Session | undefined {
    return this.#loaded.get(id)?.log.state
  }

  isLoaded(id: string): boolean {
    return this.#loaded.get(id)?.log.isLoaded === true
  }

  /** A session; undefined when there is none. One that is followed is as of the last hint, any other as it is in the store. */
  async load(id: string): Promise<Session | undefined> {
    const { log, uses } = this.#use(id)
    return log.isLoaded && uses > 0 ? log.state : this.refresh(id)
  }

  /** A session as it is in the store now. */
  async refresh(id: string): Promise<Session | undefined> {
    const loaded = this.#use(id)
    try {
      return await loaded.log.read()
    } finally {
      this.#dropIdle()
    }
  }

  /** A session as it is in the store now, and, once, whether it was read here without anybody being told what it had. */
  async refreshUntold(id: string): Promise<{ readonly session: Session | undefined; readonly isUntold: boolean }> {
    const loaded = this.#use(id)
    const session = await this.refresh(id)
    const { isUntold } = loaded
    loaded.isUntold = false
    return { session, isUntold }
  }

  /** Changes a session. `decide` may run more than once. Rejects when the store could not keep it. */
  async change(id: string, decide: (session: Session | undefined) => Decision): Promise<Settled> {
    if (this.#isClosed) throw new Error('The desk is closed.')
    const loaded = this.#use(id)
    const { log } = loaded
    const { events = [], refused } = await log.write<Decision>(session => {
      const decision = decide(session)
      const { events = [] } = decision
      return { events, result: decision, isDoubtful: decision.refused !== undefined || events.length === 0 }
    })
    const { state: session } = log
    if (session === undefined) void log.settled().then(() => this.#forget(id, loaded))
    this.#dropIdle()
    return refused === undefined ? { kind: 'accepted', events, session } : { kind: 'refused', ...refused }
  }

  /** Follows a session from now on: what others do to it is told, too. */
  async follow(id: string): Promise<{ readonly session: Session | undefined; readonly stop: () => void }> {
    const loaded = this.#use(id)
    loaded.uses++
    this.#idle.delete(id)
    const stopHints = this.hints.onSession(id, () => this.#catchUp(loaded))
    let isOver = false
    const stop = () => {
      if (isOver) return
      isOver = true
      if (--loaded.uses === 0) this.#idle.set(id, loaded)
      stopHints()
      this.#dropIdle()
    }
    try {
      await this.hints.ready()
      return { session: await loaded.log.read(), stop }
    } catch (error) {
      // While the store is away, a client that comes sees what the others see who follow it here.
      if (loaded.uses > 1 && loaded.log.isLoaded) return { session: loaded.log.state, stop }
      stop()
      throw error
    }
  }

  /** Reads again what is followed: hints may have been lost. */
  async lookAgain(): Promise<void> {
    for (const loaded of [...this.#loaded.values()]) if (loaded.uses > 0) await loaded.log.read().catch(() => {})
  }

  /** What happened to a session, as far as its log has it: at least since its last snapshot. */
  async replay(id: string): Promise<NamedEvent[]> {
    const events = await replayEvents(this.#logOf(id))
    return events.map(({ id: eventId, ...happened }) => ({ id, eventId, ...happened }))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const stop of this.#timers) stop()
    await this.hints.close()
    await this.#options.index.drained()
  }

  /** Takes what a hint brought. What nobody here was told the beginning of has to be announced. */
  #take(id: string, entries: readonly LogEntry[]): boolean {
    const known = this.#loaded.get(id)
    if (known?.isUntold || (known?.log.isLoaded !== true && entries[0]?.seq !== 1)) return false
    const { log } = this.#use(id)
    const isTaken = log.take(entries)
    this.#dropIdle()
    return isTaken
  }

  #catchUp({ log }: Loaded): void {
    log.read().catch(() => {})
  }

  #hearLater(log: Loaded['log']): void {
    if (this.#isClosed) return
    const stop = this.#options.clock.after(hearMs, () => {
      this.#timers.delete(stop)
      log.read().catch(() => this.#hearLater(log))
    })
    this.#timers.add(stop)
  }

  #use(id: string): Loaded {
    const loaded = this.#loaded.get(id) ?? this.#create(id)
    this.#loaded.set(id, loaded)
    // The last used is the last to go.
    this.#idle.delete(id)
    if (loaded.uses === 0) this.#idle.set(id, loaded)
    return loaded
  }

  #create(id: string): Loaded {
    const { index, isAlone } = this.#options
    const log: Loaded['log'] = new EventLog<Session | undefined, SessionEvent>({
      ...this.#logOf(id),
      around: (steps, append) =>
        index.around(
          steps.map(({ event, before, after }) => ({ id, event, before, after })),
          append,
        ),
      expiresAt: (before, after) => this.#expiryOf(before, after),
      onEvent: (event, change) => this.#happened(id, event, change),
      onUntold: () => {
        loaded.isUntold = true
      },
      onUnconfirmed: () => this.#hearLater(log),
      onAppended: isAlone ? undefined : entries => this.#tell(this.#hintAppended, { id, entries }),
      onStray: () => {
        for (const listener of this.#strayListeners) this.#tell(listener, id)
      },
      onReset: before => {
        for (const listener of this.#resetListeners) this.#tell(() => listener(id, before), undefined)
      },
    })
    const loaded: Loaded = { log, uses: 0, isUntold: false }
    return loaded
  }

  #logOf(id: string) {
    const { store } = this.#options
    return { store, name: `session/${id}`, empty: undefined, reduce, snapshots }
  }

  #happened(id: string, event: SessionEvent, change: Change<Session | undefined>): void {
    const { before, after, isOwn, id: eventId } = change
    const told: Told = { id, event, eventId, before, after, isOwn }
    for (const listener of this.#listeners) this.#tell(listener, told)
    if (isOwn && !this.#options.isAlone) this.#tell(this.#hint, told)
  }

  /** One that throws is no reason to decide again what is in the store, nor to keep it from the others. */
  #tell<T>(listener: (what: T) => void, what: T): void {
    try {
      listener(what)
    } catch (error) {
      this.#options.onError(error)
    }
  }

  /** A call is forgotten some time after it could last be answered; what somebody made stays. */
  #expiryOf(before: Session | undefined, after: Session | undefined): number | undefined {
    const { clock, keepMs } = this.#options
    const now = clock.now()
    if (after === undefined) return now + disposedMs
    if (!after.isCall) return before === undefined ? never : undefined
    const last = Math.max(now, ...[...after.open.values()].map(({ policy }) => policy.expiresAt))
    return Math.min(never, last + keepMs)
  }

  /** One that was disposed of, and that nobody follows. */
  #forget(id: string, { log, uses }: Loaded): void {
    if (uses > 0 || log.isBusy || log.isUnconfirmed || this.#loaded.get(id)?.log !== log) return
    this.#idle.delete(id)
    this.#loaded.delete(id)
  }

  #dropIdle(): void {
    const { maxIdle } = this.#options
    if (this.#idle.size <= maxIdle) return
    for (const [id, { log }] of this.#idle) {
      if (this.#idle.size <= maxIdle) return
      if (log.isBusy || log.isUnconfirmed) continue
      this.#idle.delete(id)
      this.#loaded.delete(id)
    }
  }
}
