import { BoundedMap } from '../runtime/bounded-map.js'
import { sizeOf } from '../runtime/size-of.js'
import type { CallLog, Decide, LogListener } from './call-log.js'
import { type CallState, emptyCallState, outlastsReopening, overCallState, reduce } from './reduce.js'

/** The log of a call in memory, where no other process can see it. */
export class MemoryLog implements CallLog {
  listener: LogListener | undefined
  readonly isBusy: boolean = false
  readonly #memory: LogMemory
  readonly #id: string

  constructor(memory: LogMemory, id: string) {
    this.#memory = memory
    this.#id = id
  }

  get state(): CallState {
    return this.#memory.load(this.#id)?.state ?? emptyCallState
  }

  get forgotten(): number {
    return this.#memory.load(this.#id)?.forgotten ?? 0
  }

  async settled(): Promise<void> {}

  write(decide: Decide): boolean {
    const kept = this.#memory.load(this.#id) ?? emptyLog()
    const event = decide(kept.state)
    if (event === undefined) return false
    const { state } = kept
    const next = reduce(state, event)
    // Nothing is kept for an event that changes nothing.
    if (next === state) return true
    this.#memory.save(this.#id, kept, next)
    this.listener?.learned(event, kept.state, true)
    return true
  }

  async read(): Promise<CallState> {
    return this.state
  }

  async confirm(): Promise<boolean> {
    return true
  }
}

/** What is kept of a log that is in memory alone. */
interface KeptLog {
  state: CallState
  /** How many entries that outlast a reopening were let go, to save memory. */
  forgotten: number
  /** How many entries of the journal were weighed, and what the call takes with them. */
  weighed: number
  bytes: number
}

export interface LogMemoryOptions {
  readonly limits: {
    /** Calls whose replies are kept for repeats; and as many for those who are not known. */
    readonly replies: number
    /** How much those take together. */
    readonly replyBytes: number
    /** Calls that are remembered as answered, which is less to keep; at most twice as many. And as many for those who are not known. */
    readonly rounds: number
  }
  /** The latest time at which a state was issued. */
  issuedUntil(): number
}

/** Calls whose replies are not kept, or of one that is over, only that it is; and until when their states were issued. */
interface Generation {
  readonly calls: Map<string, KeptLog | 'over'>
  until: number
}

/**
 * Where logs are that are in memory alone, so that several who work on a call find the same one. Of calls whose replies are not
 * kept it knows that their rounds were answered: of at least so many, and at most twice as many, in two generations of which the
 * older goes at once: to let single ones go costs more to keep than they take.
 */
export class LogMemory {
  readonly #options: LogMemoryOptions
  /** Durable calls that have not ended: those stay, and one too many was refused. */
  readonly #durable = new Map<string, KeptLog>()
  /** Those whose replies are kept. */
  readonly #whole: BoundedMap<string, KeptLog>
  #older: Generation = newGeneration()
  #newer: Generation = newGeneration()
  #refusedUntil: number = Number.NEGATIVE_INFINITY

  constructor(options: LogMemoryOptions) {
    const { replies: max, replyBytes: maxBytes } = options.limits
    this.#options = options
    this.#whole = new BoundedMap({ max, maxBytes, onEvict: (log, id) => this.#forget(id, log) })
  }

  /** States issued up to this time are refused: whether they were answered is forgotten. */
  get refusedUntil(): number {
    return this.#refusedUntil
  }

  load(id: string): KeptLog | undefined {
    const answered = () => this.#newer.calls.get(id) ?? this.#older.calls.get(id)
    const found = this.#whole.get(id) ?? this.#durable.get(id) ?? answered()
    return found === 'over' ? { ...emptyLog(), state: overCallState } : found
  }

  /** Gives a log another state. */
  save(id: string, log: KeptLog, state: CallState): void {
    const { record, end } = state
    weigh(log, state)
    log.state = state
    if (record !== undefined && end === undefined) {
      this.#durable.set(id, log)
      this.#whole.delete(id)
    } else {
      this.#durable.delete(id)
      this.#whole.set(id, log, log.bytes)
    }
  }

  /** Lets go of replies that are older. */
  forgetBefore(time: number): void {
    for (const [id, log] of this.#whole.entries()) {
      if (log.state.updatedAt >= time) return
      this.#whole.delete(id)
      this.#forget(id, log)
    }
  }

  /** Frees everything of a call but which rounds were answered; of one that is over, everything. */
  #forget(id: string, log: KeptLog): void {
    const { limits, issuedUntil } = this.#options
    const { rounds, entries, end, updatedAt } = log.state
    // The older generation may have this very object, from before the call was over.
    if (end !== undefined) log.state = emptyCallState
    else {
      for (const entry of entries) if (outlastsReopening(entry)) log.forgotten++
      const withoutReplies = rounds.map(round => (round.reply === undefined ? round : { ...round, reply: forgotten }))
      log.state = { ...log.state, rounds: withoutReplies, entries: [], reopened: undefined }
    }
    if (this.#newer.calls.size >= limits.rounds) {
      this.#refusedUntil = this.#older.until
      this.#older = this.#newer
      this.#newer = newGeneration(this.#older.until)
    }
    this.#newer.calls.set(id, end === undefined ? log : 'over')
    // Its states may be later than its answers, by a clock that was set back.
    this.#newer.until = Math.max(this.#newer.until, updatedAt, issuedUntil())
  }
}

const forgotten = 'forgotten' as const

function newGeneration(until: number = Number.NEGATIVE_INFINITY): Generation {
  return { calls: new Map(), until }
}

function emptyLog(): KeptLog {
  return { state: emptyCallState, forgotten: 0, weighed: 0, bytes: 0 }
}

/** How much a call and its journal take. What was weighed before is not weighed again: a call may have many rounds. */
function weigh(log: KeptLog, { record, entries, rounds, reopened, end }: CallState): void {
  if (entries.length < log.weighed) {
    log.weighed = 0
    log.bytes = sizeOf(log.state.record) + sizeOf(reopened?.entries)
    for (const { reply } of rounds) log.bytes += sizeOf(reply)
  } else if (rounds !== log.state.rounds) log.bytes += sizeOf(rounds.at(-1)?.reply)
  if (record !== log.state.record) log.bytes += sizeOf(record)
  if (end !== log.state.end) log.bytes += sizeOf(end)
  for (; log.weighed < entries.length; log.weighed++) log.bytes += sizeOf(entries[log.weighed])
}
