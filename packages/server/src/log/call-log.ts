// The log of one call, in the store, or in memory where there is none that others share.
//
// L1 Every append says what it comes after. When something else came first, that is read, and what to write is decided again.
// L2 An append that rejects may have taken effect: entries carry the id of their append, and the log is read before anything
//    is decided again.
// L3 A log that is shorter than it was, or another one, is started anew from what it has; whoever ran the call by what was
//    there before is told so. Each append names the one that it goes on from: when a log was cut short, and others have
//    written as much again, what someone appends who knew the old end is no part of it, for any reader. Whoever wrote that
//    is told with the next read, and not before: the store has only the number to refuse it by.
// L4 What is written in one turn of the event loop is one append.
// L5 Every loop ends: with a log that never comes to rest, as an error.
import { randomId } from '../crypto/random-id.js'
import { afterTurn } from '../runtime/after-turn.js'
import { type Deferred, deferred } from '../runtime/deferred.js'
import type { JsonValue, LogEntry, Store } from '../store/index.js'
import { StoreUnavailableError } from '../store/store-unavailable.js'
import type { CallEvent } from './events.js'
import { type CallState, nothing, reduce } from './reduce.js'

/** Decides what to add to a log, given how the call stands; undefined for nothing. */
export type Decide = (state: CallState) => CallEvent | undefined

/** Who is told what becomes of a log. */
export interface LogListener {
  /** An event that changes something: what was written here, and what others wrote, in order. */
  learned(event: CallEvent, state: CallState, isOwn: boolean): void
  /** What was known is no longer what the log has. */
  lost(): void
}

/** A log that is in memory alone. */
export interface MemoryLog {
  state: CallState
  /** Whether replies were let go, to save memory: a repeat gets none. */
  isForgetful: boolean
  changes: Deferred<void> | undefined
  /** How many entries of the journal were weighed, and what they came to. */
  weighed: number
  bytes: number
}

/** Where logs are that are in memory alone: several who work on a call find the same one. */
export interface LogMemory {
  load(id: string): MemoryLog | undefined
  save(id: string, log: MemoryLog): void
}

interface Pending {
  readonly decide: Decide
  /** When the log may go, unless something later says otherwise. */
  readonly expiresAt: number | undefined
  readonly resolve: (isWritten: boolean) => void
  readonly reject: (error: unknown) => void
}

/** An event as it is stored: with a format number and the id of its append, and the first of an append with the id of the one before. */
interface Stored {
  readonly v: typeof format
  readonly w: string
  readonly p?: string
  readonly e: CallEvent
}

interface StoredEntry {
  readonly seq: number
  readonly stored: Stored
}

const format = 1
/** So often something else may come first before it is an error: each time, somebody else got further. */
const maxConflicts = 100
/** So often an append may reject, with the log readable in between. */
const maxRejections = 3

export class CallLog {
  readonly #store: Store | undefined
  readonly #name: string
  readonly #memory: LogMemory | undefined
  #state: CallState = nothing
  #at = 0
  /** The id of the append that wrote the last entry, and of the last that belongs to this log. */
  #lastThere = ''
  #last = ''
  #pending: Pending[] | undefined
  #isScheduled = false
  #work: Promise<unknown> | undefined
  #changes: Deferred<void> | undefined

  constructor(where: Store | LogMemory, name: string) {
    this.#store = 'append' in where ? where : undefined
    this.#memory = 'append' in where ? undefined : where
    this.#name = name
  }

  /** Who runs the call here, if anyone does. */
  listener: LogListener | undefined

  /** Resolves with the next event that is learned of here. */
  get changed(): Promise<void> {
    const changing = this.#memory?.load(this.#name) ?? this
    changing.changes ??= deferred()
    return changing.changes.promise
  }

  get changes(): Deferred<void> | undefined {
    return this.#changes
  }

  set changes(changes: Deferred<void> | undefined) {
    this.#changes = changes
  }

  /** As far as it is known here. */
  get state(): CallState {
    return this.#memory === undefined ? this.#state : (this.#memory.load(this.#name)?.state ?? nothing)
  }

  get isEmpty(): boolean {
    return this.state === nothing
  }

  /** Whether replies were let go, to save memory: a repeat gets none. */
  get isForgetful(): boolean {
    return this.#memory?.load(this.#name)?.isForgetful ?? false
  }

  /** Whether there is something that is not stored yet. */
  get isBusy(): boolean {
    return this.#work !== undefined || this.#pending !== undefined
  }

  /** Resolves when all that was written so far is stored, or could not be. */
  async settled(): Promise<void> {
    while (this.isBusy) await (this.#work ?? new Promise<void>(resolve => afterTurn(resolve)))
  }

  /** Writes what `decide` gives for the state as it is then. Whether there was something to write. */
  write(decide: Decide, expiresAt?: number): Promise<boolean> {
    if (this.#memory !== undefined) return this.#writeHere(this.#memory, decide)
    return new Promise((resolve, reject) => {
      this.#pending ??= []
      this.#pending.push({ decide, expiresAt, resolve, reject })
      this.#schedule()
    })
  }

  /** Reads what others have written. */
  async read(): Promise<CallState> {
    const store = this.#store
    if (store === undefined) return this.state
    return this.#inTurn(async () => {
      await this.#catchUp(store)
      return this.#state
    })
  }

  /** Resolves when a write would have been possible, after all that is known. @throws where it would not */
  async confirm(): Promise<void> {
    const store = this.#store
    if (store === undefined) return
    const at = await this.#inTurn(() => store.append(this.#name, [], { after: this.#at }))
    if (at === undefined) await this.read()
  }

  async #writeHere(memory: LogMemory, decide: Decide): Promise<boolean> {
    const log = memory.load(this.#name) ?? emptyLog()
    const event = decide(log.state)
    if (event === undefined) return false
    const { state, changes } = log
    log.state = reduce(state, event)
    log.changes = undefined
    memory.save(this.#name, log)
    if (log.state !== state) this.listener?.learned(event, log.state, true)
    changes?.resolve()
    return true
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    afterTurn(() => {
      this.#isScheduled = false
      void this.#inTurn(() => this.#flush())
    })
  }

  /** One at a time: what is written next depends on what was written before. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#work === undefined ? task() : this.#work.then(task, task)
    const work = run
      .catch(() => {})
      .then(() => {
        if (this.#work === work) this.#work = undefined
      })
    this.#work = work
    return run
  }

  async #flush(): Promise<void> {
    const batch = this.#pending
    this.#pending = undefined
    if (batch === undefined || this.#store === undefined) return
    try {
      const written = await this.#append(this.#store, batch)
      for (const [index, { resolve }] of batch.entries()) resolve(written[index] ?? false)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  /** Which of a batch had something to write. */
  async #append(store: Store, batch: readonly Pending[]): Promise<boolean[]> {
    let rejections = 0
    // An append that rejected may land later, for as long as nothing else came first.
    const own = new Set<string>()
    for (let conflicts = 0; conflicts < maxConflicts; conflicts++) {
      const { events, states, written } = this.#decide(batch)
      if (events.length === 0) return written
      const id = randomId()
      own.add(id)
      const expiresAt = Math.max(...batch.map(pending => pending.expiresAt ?? 0)) || undefined
      let at: number | undefined
      let failure: unknown
      try {
        const entries = events.map((e, index) => encode(index === 0 ? { w: id, p: this.#last, e } : { w: id, e }))
        at = await store.append(this.#name, entries, { after: this.#at, expiresAt })
      } catch (error) {
        failure = error
      }
      if (at !== undefined) {
        this.#at = at
        this.#last = id
        this.#lastThere = id
        for (const [index, event] of events.entries()) this.#become(states[index] ?? this.#state, event, true)
        return written
      }
      const before = this.#at
      const isThere = await this.#catchUp(store, { ids: own, isRefused: failure === undefined })
      if (isThere) return written
      if (this.#at !== before) own.clear()
      if (failure !== undefined && ++rejections >= maxRejections) throw failure
    }
    throw new StoreUnavailableError('The log of a call never came to rest, and the store', undefined)
  }

  #decide(batch: readonly Pending[]): { events: CallEvent[]; states: CallState[]; written: boolean[] } {
    const events: CallEvent[] = []
    const states: CallState[] = []
    let state = this.#state
    const written = batch.map(({ decide }) => {
      const event = decide(state)
      if (event === undefined) return false
      events.push(event)
      state = reduce(state, event)
      states.push(state)
      return true
    })
    return { events, states, written }
  }

  /**
   * Reads on. True when an append of this process is there after all.
   * @param own The ids of that append; `isRefused` when the store said that something else came first.
   */
  async #catchUp(
    store: Store,
    own?: { readonly ids: ReadonlySet<string>; readonly isRefused: boolean },
  ): Promise<boolean> {
    // The last one that is known is read again: it shows whether this is still the same log.
    const read = (await store.read(this.#name, { after: Math.max(0, this.#at - 1) })).map(decode)
    const isSame = this.#at === 0 || (read[0]?.seq === this.#at && read[0].stored.w === this.#lastThere)
    const news = this.#at === 0 ? read : read.slice(1)
    const isRefusedForNothing = own?.isRefused === true && news.length === 0 && this.#at > 0
    const next = goingOn(news, this.#last)
    if (!isSame || isRefusedForNothing || (this.#at > 0 && next.length < news.length))
      return this.#readAnew(store, { ids: own?.ids ?? noIds, isLost: isRefusedForNothing })
    this.#take(next, news.at(-1), own?.ids)
    return own !== undefined && next.some(({ stored }) => own.ids.has(stored.w))
  }

  /** Reads everything: what was known may be part of it still. */
  async #readAnew(
    store: Store,
    { ids, ...given }: { readonly ids: ReadonlySet<string>; readonly isLost: boolean },
  ): Promise<boolean> {
    const all = (await store.read(this.#name)).map(decode)
    const whole = goingOn(all, '')
    const known = whole.findLastIndex(({ stored }) => stored.w === this.#last)
    const isLost = given.isLost || known < 0
    const next = isLost ? whole : whole.slice(known + 1)
    if (isLost) {
      this.#state = nothing
      this.#at = 0
      this.#last = ''
      this.#lastThere = ''
    }
    this.#take(next, all.at(-1), ids)
    if (isLost) this.listener?.lost()
    return !isLost && next.some(({ stored }) => ids.has(stored.w))
  }

  /** @param there The last one that was read, whether it belongs to the log or not. */
  #take(entries: readonly StoredEntry[], there: StoredEntry | undefined, own: ReadonlySet<string> = noIds): void {
    this.#at = there?.seq ?? this.#at
    this.#lastThere = there?.stored.w ?? this.#lastThere
    for (const { stored } of entries) {
      this.#last = stored.w
      this.#learn(stored.e, own.has(stored.w))
    }
  }

  #learn(event: CallEvent, isOwn: boolean): void {
    this.#become(reduce(this.#state, event), event, isOwn)
  }

  #become(next: CallState, event: CallEvent, isOwn: boolean): void {
    const isNews = next !== this.#state
    this.#state = next
    if (!isNews) return
    this.listener?.learned(event, next, isOwn)
    this.#changes?.resolve()
    this.#changes = undefined
  }
}

function emptyLog(): MemoryLog {
  return { state: nothing, isForgetful: false, changes: undefined, weighed: 0, bytes: 0 }
}

/** Events are JSON by what they hold; the compiler cannot see that of open records. */
function encode({ w, p, e }: Omit<Stored, 'v'>): JsonValue {
  const stored: Stored = p === undefined ? { v: format, w, e } : { v: format, w, p, e }
  return stored as unknown as JsonValue
}

const noIds: ReadonlySet<string> = new Set()

/** Those that go on from an append, each from the one before: anything else was written by someone who knew another log. */
function goingOn(entries: readonly StoredEntry[], from: string): readonly StoredEntry[] {
  let last = from
  return entries.filter(({ stored: { w, p = w } }) => {
    if (p !== last) return false
    last = w
    return true
  })
}

function decode({ seq, value }: LogEntry): StoredEntry {
  return { seq, stored: value as unknown as Stored }
}
