import { digest } from '../crypto/digest.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import { sizeOf } from '../runtime/size-of.js'
import type { Store } from '../store/index.js'
import type { CallLog } from './call-log.js'
import { type Admission, type KeptLog, type LogMemory, MemoryLog } from './memory-log.js'
import type { OwnedCalls } from './owned-calls.js'
import { type CallState, emptyCallState } from './reduce.js'
import { StoredLog } from './stored-log.js'

interface CallLogsLimits {
  /** Calls whose replies are kept for repeats, in memory; and as many for those who are not known. */
  readonly replies: number
  /** How much those take together. */
  readonly replyBytes: number
  /** Calls that are remembered as answered, which is less to keep. */
  readonly rounds: number
}

export interface CallLogsOptions {
  readonly limits: CallLogsLimits
  /** Lets a durable call in that is kept in memory, with what it takes. @throws when there are too many */
  admit(caller: { principal: string | undefined; sessionId: string | undefined }, bytes: number): Admission
}

const maxNames = 1_000
const maxIdLength = 64

/**
 * The logs of calls: in the store, where others share it; else in memory, so many of them. What callers without a principal
 * leave there pushes out nothing of those who have one.
 */
export class CallLogs {
  readonly #store: Store | undefined
  readonly #owned: OwnedCalls
  readonly #known: BoundedLogs
  readonly #anonymous: BoundedLogs
  /** Of ids that came up lately: every request about a call wants its name, some of them twice. */
  readonly #names = new BoundedMap<string, string>({ max: maxNames })

  constructor(store: Store, owned: OwnedCalls, options: CallLogsOptions) {
    this.#store = store.shared ? store : undefined
    this.#owned = owned
    this.#known = new BoundedLogs(options)
    this.#anonymous = new BoundedLogs(options)
  }

  /** Whether they are in the store, so that a state need not carry the journal. */
  get areStored(): boolean {
    return this.#store !== undefined
  }

  /** The log of a call; a new one where there is none. */
  open(id: string, principal: string | undefined): CallLog {
    return this.#store === undefined ? new MemoryLog(this.#memoryOf(principal), id) : this.named(this.nameOf(id))
  }

  /** The log of a call by its name. */
  named(name: string): CallLog {
    if (this.#store !== undefined) return new StoredLog(this.#store, name, this.#owned)
    return this.open(name, this.#known.load(name) === undefined ? undefined : '')
  }

  /** Whether it was forgotten if a state issued at that time was answered. */
  hasForgotten(issuedAt: number, principal: string | undefined): boolean {
    return this.#store === undefined && issuedAt <= this.#memoryOf(principal).refusedUntil
  }

  /** Lets go of replies that are older. */
  forgetBefore(time: number): void {
    this.#known.forgetBefore(time)
    this.#anonymous.forgetBefore(time)
  }

  /** The name of a call, where others may read it: an id opens something, and its name does not tell it. */
  nameOf(id: string): string {
    if (this.#store === undefined) return id
    const known = this.#names.get(id)
    if (known !== undefined) return known
    const name = digest(id)
    // Ids that strangers make up may be long.
    if (id.length <= maxIdLength) this.#names.set(id, name)
    return name
  }

  #memoryOf(principal: string | undefined): BoundedLogs {
    return principal === undefined ? this.#anonymous : this.#known
  }
}

/** Logs in memory, so many of them. A durable call that has not ended stays, and one too many is refused. */
class BoundedLogs implements LogMemory {
  readonly #admit: CallLogsOptions['admit']
  /** Durable calls that have not ended. */
  readonly #durable = new Map<string, KeptLog>()
  readonly #answered: BoundedMap<string, KeptLog>
  /** Those whose replies are kept. */
  readonly #whole: BoundedMap<string, KeptLog>
  /** States issued up to this time are refused: whether they were answered is forgotten. */
  refusedUntil: number = Number.NEGATIVE_INFINITY

  constructor({ limits: { replies, replyBytes, rounds }, admit }: CallLogsOptions) {
    this.#admit = admit
    this.#whole = new BoundedMap({ max: replies, maxBytes: replyBytes, onEvict: forgetReplies })
    this.#answered = new BoundedMap({
      max: rounds,
      onEvict: ({ state }, id) => {
        this.#whole.delete(id)
        this.refusedUntil = Math.max(this.refusedUntil, state.updatedAt)
      },
    })
  }

  load(id: string): KeptLog | undefined {
    return this.#durable.get(id) ?? this.#answered.get(id)
  }

  save(id: string, log: KeptLog, state: CallState): void {
    const { record, end } = state
    const { bytes: before, weighed } = log
    const bytes = weigh(log, state)
    if (record !== undefined && end === undefined) {
      if (log.admission !== undefined) log.admission.weigh(bytes)
      else {
        const { principal, sessionId } = record
        const caller = { principal: principal ?? undefined, sessionId: sessionId ?? undefined }
        try {
          log.admission = this.#admit(caller, bytes)
        } catch (error) {
          Object.assign(log, { bytes: before, weighed })
          throw error
        }
        this.#durable.set(id, log)
        this.#answered.delete(id)
        this.#whole.delete(id)
      }
      log.state = state
      return
    }
    log.state = state
    log.admission?.leave()
    log.admission = undefined
    this.#durable.delete(id)
    this.#answered.set(id, log)
    this.#whole.set(id, log, sizeOf(end) + bytes)
  }

  forgetBefore(time: number): void {
    for (const [id, log] of this.#whole.entries()) {
      if (log.state.updatedAt >= time) return
      forgetReplies(log)
      this.#whole.delete(id)
    }
  }
}

/** How much a call and its journal take. What was weighed before is not weighed again: a call may have many rounds. */
function weigh(log: KeptLog, { record, entries }: CallState): number {
  if (entries.length < log.weighed) {
    log.weighed = 0
    log.bytes = sizeOf(log.state.record?.params)
  }
  if (record !== log.state.record) log.bytes += sizeOf(record?.params)
  for (const entry of entries.slice(log.weighed)) log.bytes += sizeOf(entry)
  log.weighed = entries.length
  return log.bytes
}

/** Frees everything but which rounds were answered; of a durable call, which has ended, everything. */
function forgetReplies(log: KeptLog): void {
  const { record, rounds } = log.state
  if (record !== undefined) {
    log.state = emptyCallState
    return
  }
  log.isForgetful = true
  log.state = {
    ...log.state,
    rounds: rounds.map(round => ({ ...round, reply: undefined })),
    entries: [],
    end: undefined,
  }
}
