// A log of events in a store, and the state that they reduce to. Any number of processes write to it.
//
// E1 Every append says what it comes after. When something else came first, that is read, and all of the batch is decided again.
// E2 An append that rejects may have taken effect: entries carry the id of their append, and the log is read before anything
//    is decided again. What a read shows of it may still be lost with its server: it counts once a write behind it was
//    acknowledged. Where the log cannot be read either, `onUnconfirmed` says so, and what a later read finds of it is told as own.
// E3 A log that is shorter than it was, or another one, is started anew from what it has, and `onReset` says so. Each append names
//    the entry that it goes on from: when a log was cut short, and others have written as much again, what someone appends who
//    knew the old end is no part of it, for any reader. The writer is told with its next read, and not before: the store has
//    only the number to refuse it by. So a read begins with what was last read, and goes over what was written or taken since.
// E4 What is written in one turn of the event loop, or while an append is on its way, is one append.
// E5 No write resolves before the append of its batch succeeded; a result that was decided on stale state is decided again.
// E6 Every loop ends: with an error, where others keep changing the log first.
// E7 What another process says that it has appended is taken without reading, where it goes on from what is known here, and the log
//    never lost anything that was. Anything else is left to a read: so whatever is lost, doubled or out of order on the way costs
//    one. A process that took entries which the log has lost since is like one that read them before: E3.
import { randomId } from '../../crypto/random-id.js'
import { turnEnd } from '../../runtime/after-turn.js'
import type { JsonValue } from '../json.js'
import type { AppendOptions, LogEntry } from '../store.js'
import { tooContended } from '../store-unavailable.js'
import { type DecidedBatch, type Decision, decideBatch, type PendingWrite, tellResults } from './decide-batch.js'
import type { Change, EventLogOptions } from './event-log-options.js'
import {
  decodeStored,
  encodeAppend,
  entryIdOf,
  eventIdIn,
  eventIdOf,
  goingOn,
  type StoredEntry,
} from './stored-event.js'

/** Events by the id of the append that has them. */
type EventsById<Event> = ReadonlyMap<string, Event[]>

/** The appends of a batch; `isRefused` when the store said that something else came first. */
interface BatchAppends<Event> {
  readonly ids: EventsById<Event>
  readonly isRefused: boolean
}

/** An append as it is stored, and how many of its entries are pieces of a snapshot. */
interface EncodedAppend {
  readonly id: string
  readonly pieces: number
  readonly entries: JsonValue[]
}

/** The number of an entry, its name, and that of the last one up to there that belongs to the log. */
interface ReadTo {
  readonly at: number
  readonly there: string
  readonly last: string
}

/** Where a snapshot begins, and the name of its last entry. */
interface KnownSnapshot {
  readonly at: number
  readonly last: string
}

/** How often another append may come first before it is an error: each time, another process made progress. */
const maxConflicts = 100
/** How often an append may reject while the log can be read in between. */
const maxRejections = 3

export class EventLog<State, Event extends object> {
  readonly #options: EventLogOptions<State, Event>
  #state: State
  /** The number of the last entry that is known. */
  #at = 0
  /** Its name, and that of the last one that belongs to the log. */
  #lastThere = ''
  #last = ''
  /** Up to where it was read: what was appended or taken since may go on from something that was cut off. */
  #readTo = beginning
  #isLoaded = false
  /** Rebuilding after a reset: emit no events. */
  #isResetting = false
  /** The log lost entries once: entries that another process announces may be among those lost. */
  #wasReset = false
  /** Appends of this process that rejected, and that may still take effect: no later entry is known. */
  readonly #unconfirmed = new Set<string>()
  #events = 0
  #snapshot: KnownSnapshot | undefined
  #pending: PendingWrite<State, Event>[] = []
  #isScheduled = false
  /** A read that has not begun: every caller until then shares it. */
  #nextRead: Promise<State> | undefined
  #work: Promise<unknown> | undefined

  constructor(options: EventLogOptions<State, Event>) {
    this.#options = options
    this.#state = options.empty
  }

  /** As far as it is known here. */
  get state(): State {
    return this.#state
  }

  /** Whether it was read, or written to: before that the state is empty, whatever the log has. */
  get isLoaded(): boolean {
    return this.#isLoaded
  }

  /** Whether something is being read or written. */
  get isBusy(): boolean {
    return this.#work !== undefined || this.#pending.length > 0
  }

  /** Whether an append that was given up here may have taken effect, and the log was not read since. */
  get isUnconfirmed(): boolean {
    return this.#unconfirmed.size > 0
  }

  /** Writes what `decide` gives for the state as it is then. It may be called more than once, and must not have effects. */
  write<Result>(decide: (state: State) => Decision<Event, Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      // What comes back is what this very `decide` gave.
      this.#pending.push({ decide, resolve: result => resolve(result as Result), reject })
      this.#schedule()
    })
  }

  /** Reads what others have written. */
  read(): Promise<State> {
    if (this.#nextRead !== undefined) return this.#nextRead
    const waits = this.#work !== undefined
    const read = this.#inTurn(async () => {
      this.#nextRead = undefined
      await this.#catchUp()
      this.#unconfirmed.clear()
      return this.#state
    })
    if (waits) this.#nextRead = read
    return read
  }

  /**
   * Takes what another process has appended, without reading. The caller vouches that the log had it.
   * @returns false when it does not go on from what is known, or something is under way: then the log has to be read
   */
  take(entries: readonly LogEntry[]): boolean {
    if (this.isBusy || this.#wasReset || this.#lastThere !== this.#last) return false
    const given = entries.map(entry => decodeStored<Event>(entry, this.#options.name))
    const last = given.at(-1)
    if (last === undefined) return false
    if (nameOf(last) === this.#last) return true
    const isNext = given.every(({ seq }, index) => seq === this.#at + 1 + index)
    if (!isNext || goingOn(given, this.#last).length < given.length) return false
    // Entries that begin with the first of the log are the whole log.
    this.#isLoaded = true
    this.#take(given, last)
    return true
  }

  /** Resolves when every read and write so far has succeeded or failed. */
  async settled(): Promise<void> {
    while (this.#work !== undefined) await this.#work
  }

  /** Whether a write would have been possible, after all that is known; else the log is read. @throws where none would be possible */
  async confirm(): Promise<boolean> {
    const { store, name } = this.#options
    const at = await this.#inTurn(() => store.append(name, [], { after: this.#at }))
    if (at === undefined) await this.read()
    return at !== undefined
  }

  /** Has its turn behind what is under way, and before whatever is asked for later. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    void this.#inTurn(() => this.#flush())
  }

  /** One at a time: what is written next depends on what was written before. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#work === undefined ? task() : this.#work.then(task)
    const done = (): void => {
      if (this.#work === work) this.#work = undefined
    }
    const work = run.then(done, done)
    this.#work = work
    return run
  }

  async #flush(): Promise<void> {
    await turnEnd()
    this.#isScheduled = false
    const batch = this.#pending
    this.#pending = []
    try {
      tellResults(batch, await this.#append(batch))
    } catch (error) {
      for (const { reject } of batch) reject(error)
      if (this.isUnconfirmed) this.#options.onUnconfirmed?.()
    }
  }

  async #append(batch: readonly PendingWrite<State, Event>[]): Promise<DecidedBatch<State, Event>['results']> {
    let rejections = 0
    let isFresh = false
    const ids = new Map<string, Event[]>()
    for (let conflicts = 0; conflicts < maxConflicts; conflicts++) {
      const decided = decideBatch(batch, this.#state, this.#options.reduce)
      const { results, steps } = decided
      if (steps.length === 0) {
        if (isFresh || !decided.isDoubtful) return results
        await this.#catchUp()
        isFresh = true
        continue
      }
      const append = this.#encode(decided)
      let failure: unknown
      try {
        const at = await this.#store(decided, append)
        if (at !== undefined) {
          this.#stored(decided, append, at)
          return results
        }
      } catch (error) {
        failure = error
      }
      ids.set(
        append.id,
        steps.map(({ event }) => event),
      )
      // It may land later, for as long as nothing else came first.
      if (failure !== undefined) this.#unconfirmed.add(append.id)
      if (await this.#catchUp({ ids, isRefused: failure === undefined })) return results
      isFresh = true
      if (failure !== undefined && ++rejections >= maxRejections) throw failure
    }
    throw tooContended(this.#options.name, maxConflicts)
  }

  #encode({ steps }: DecidedBatch<State, Event>): EncodedAppend {
    const { snapshots } = this.#options
    const id = randomId()
    const isSnapshot = snapshots !== undefined && this.#events + steps.length >= snapshots.every
    const pieces = isSnapshot ? snapshots.encode(steps.at(-1)?.after ?? this.#state) : noPieces
    const events = steps.map(({ event }) => event)
    return { id, pieces: pieces.length, entries: encodeAppend({ id, last: this.#last }, events, pieces) }
  }

  /** Resolves to the number of the last entry; undefined when something else came first. */
  #store(
    { steps, expiresAt: given }: DecidedBatch<State, Event>,
    { entries }: EncodedAppend,
  ): Promise<number | undefined> {
    const { store, name, around, expiresAt } = this.#options
    const until = given ?? expiresAt?.(this.#state, steps.at(-1)?.after ?? this.#state)
    const after = this.#at
    const append = (names?: Pick<AppendOptions, 'puts' | 'removals'>) =>
      store.append(
        name,
        entries,
        names === undefined
          ? { after, expiresAt: until }
          : { after, expiresAt: until, puts: names.puts, removals: names.removals },
      )
    return around === undefined ? append() : around(steps, append)
  }

  #stored({ steps }: DecidedBatch<State, Event>, { id, pieces, entries }: EncodedAppend, at: number): void {
    this.#isLoaded = true
    this.#at = at
    this.#last = entryIdOf(id, at)
    this.#lastThere = this.#last
    this.#unconfirmed.clear()
    if (pieces > 0) this.#snapshotted({ at: at - pieces + 1, last: this.#last })
    else this.#events += steps.length
    const first = at - entries.length + 1
    let index = 0
    for (const { event, after } of steps)
      this.#become(event, after, { id: eventIdIn(id, first, index++), isOwn: true, isUnconfirmed: false })
    this.#options.onAppended?.(entries.map((value, index) => ({ seq: first + index, value })))
  }

  /** What came before the last snapshot but one is needed by nobody: a reader that is that far behind begins with the later one. */
  #snapshotted(snapshot: KnownSnapshot): void {
    if (this.#snapshot !== undefined) this.#trimBefore(this.#snapshot).catch(() => {})
    this.#snapshot = snapshot
    this.#events = 0
  }

  /** A log that was cut short, and has grown again, may have only half of it there, or go on from something else. */
  async #trimBefore({ at, last }: KnownSnapshot): Promise<void> {
    const { store, name } = this.#options
    const all = (await store.read(name)).map(entry => decodeStored<Event>(entry, name))
    if (goingOn(all).some(entry => nameOf(entry) === last)) await store.trim(name, at - 1)
  }

  /** Reads on. True when an append of a batch is there after all. */
  async #catchUp(batch?: BatchAppends<Event>): Promise<boolean> {
    const { store, name } = this.#options
    const { at, there, last } = this.#readTo
    // The last one that was read is read again: it shows whether this is still the same log.
    const read = (await store.read(name, { after: Math.max(0, at - 1) })).map(entry => decodeStored<Event>(entry, name))
    const [first] = read
    const isSame = at === 0 || (first !== undefined && nameOf(first) === there)
    const since = at === 0 ? read : read.slice(1)
    const whole = goingOn(since, at === 0 ? undefined : last)
    const known = whole.findLastIndex(entry => nameOf(entry) === this.#last)
    const isKnownThere = this.#last === last || known >= 0
    const next = whole.slice(known + 1)
    const news = since.filter(({ seq }) => seq > this.#at)
    const isRefusedForNothing = batch?.isRefused === true && news.length === 0 && this.#at > 0
    if (!isSame || !isKnownThere || isRefusedForNothing || (this.#at > 0 && next.length < news.length))
      return this.#readAnew(batch?.ids ?? noIds, isRefusedForNothing)
    await this.#confirmFound(next, batch?.ids)
    this.#take(next, news.at(-1), batch?.ids)
    this.#wasRead()
    if (whole.length < since.length) this.#options.onStray?.()
    return batch !== undefined && next.some(({ stored }) => batch.ids.has(stored.w))
  }

  /** Reads everything: what was known may be part of it still. */
  async #readAnew(ids: EventsById<Event>, isRefusedForNothing: boolean): Promise<boolean> {
    const { store, name, empty, onReset } = this.#options
    const all = (await store.read(name)).map(entry => decodeStored<Event>(entry, name))
    const whole = goingOn(all)
    const known = whole.findLastIndex(entry => nameOf(entry) === this.#last)
    if (!isRefusedForNothing && known >= 0) {
      const next = whole.slice(known + 1)
      await this.#confirmFound(next, ids)
      this.#take(next, all.at(-1), ids)
      this.#wasRead()
      if (whole.length < all.length) this.#options.onStray?.()
      return next.some(({ stored }) => ids.has(stored.w))
    }
    const before = this.#state
    this.#state = empty
    this.#at = 0
    this.#last = ''
    this.#lastThere = ''
    this.#events = 0
    this.#snapshot = undefined
    this.#wasReset = true
    this.#isResetting = true
    this.#take(whole, all.at(-1))
    this.#wasRead()
    this.#isResetting = false
    onReset?.(before)
    return false
  }

  #wasRead(): void {
    this.#readTo = { at: this.#at, there: this.#lastThere, last: this.#last }
  }

  /** Nothing is added: but what is acknowledged now comes after what was found of appends that rejected. */
  async #confirmFound(entries: readonly StoredEntry<Event>[], ids: EventsById<Event> = noIds): Promise<void> {
    const { store, name } = this.#options
    if (entries.some(({ stored: { w } }) => ids.has(w) || this.#unconfirmed.has(w))) await store.append(name, [])
  }

  /** @param there The last one that was read, whether it belongs to the log or not. */
  #take(
    entries: readonly StoredEntry<Event>[],
    there: StoredEntry<Event> | undefined,
    ids: EventsById<Event> = noIds,
  ): void {
    // A snapshot with nothing before it is where the state begins; any other says what is known.
    let isBeginning = this.#at === 0
    // A snapshot whose last piece is missing does not count.
    let pieces: JsonValue[] = []
    let isUntold = false
    this.#at = there?.seq ?? this.#at
    this.#lastThere = there === undefined ? this.#lastThere : nameOf(there)
    for (const { seq, stored } of entries) {
      const { w, e, s, z } = stored
      this.#last = entryIdOf(w, seq)
      if (e !== undefined) {
        isBeginning = false
        pieces = []
        this.#events += e.length
        // What this process has decided is told as it was, for the one that did to know it again.
        for (const [index, event] of (ids.get(w)?.splice(0, e.length) ?? e).entries()) {
          const isTold = this.#become(event, this.#options.reduce(this.#state, event), {
            id: eventIdOf(w, seq, index),
            isOwn: ids.has(w) || this.#unconfirmed.has(w),
            isUnconfirmed: !ids.has(w) && this.#unconfirmed.has(w),
          })
          isUntold ||= !isTold
        }
      } else if (s !== undefined) {
        pieces.push(s)
        if (z) {
          const { snapshots } = this.#options
          if (isBeginning && snapshots !== undefined) {
            this.#state = snapshots.decode(pieces)
            isUntold = true
          }
          isBeginning = false
          this.#snapshot = { at: seq - pieces.length + 1, last: this.#last }
          pieces = []
          this.#events = 0
        }
      }
    }
    this.#isLoaded = true
    if (there !== undefined) this.#unconfirmed.clear()
    if (isUntold) this.#options.onUntold?.()
  }

  /** True when it is told. */
  #become(event: Event, after: State, written: Omit<Change<State>, 'before' | 'after'>): boolean {
    const before = this.#state
    this.#state = after
    const { onEvent, emitsHistory } = this.#options
    const isTold = this.#isLoaded ? !this.#isResetting : written.isOwn || emitsHistory === true
    const { id, isOwn, isUnconfirmed } = written
    if (isTold) onEvent?.(event, { before, after, id, isOwn, isUnconfirmed })
    return isTold
  }
}

function nameOf<Event>({ seq, stored }: StoredEntry<Event>): string {
  return entryIdOf(stored.w, seq)
}

const beginning: ReadTo = { at: 0, there: '', last: '' }
const noIds: EventsById<never> = new Map()
const noPieces: readonly JsonValue[] = []
