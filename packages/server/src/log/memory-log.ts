import { type Deferred, deferred } from '../runtime/deferred.js'
import type { CallLog, Decide, LogListener } from './call-log.js'
import { type CallState, emptyCallState, reduce } from './reduce.js'

/** What is kept of a log that is in memory alone. */
export interface KeptLog {
  state: CallState
  /** Whether replies were let go, to save memory: a repeat gets none. */
  isForgetful: boolean
  changes: Deferred<void> | undefined
  /** Of a durable call that has not ended. */
  admission: Admission | undefined
  /** How many entries of the journal were weighed, and what they came to. */
  weighed: number
  bytes: number
}

/** The share of memory of a call that was let in. */
export interface Admission {
  /** It takes so many bytes by now: what comes later may be refused for that, this call is not. */
  weigh(bytes: number): void
  leave(): void
}

/** Where logs are that are in memory alone: several who work on a call find the same one. */
export interface LogMemory {
  load(id: string): KeptLog | undefined
  /** Gives a log another state. @throws where there is no room for one more durable call, and leaves it as it is */
  save(id: string, log: KeptLog, state: CallState): void
}

/** The log of a call in memory, where no other process can see it. */
export class MemoryLog implements CallLog {
  listener: LogListener | undefined
  readonly isBusy: boolean = false
  readonly #memory: LogMemory
  readonly #id: string
  /** For as long as nothing is kept. */
  #changes: Deferred<void> | undefined

  constructor(memory: LogMemory, id: string) {
    this.#memory = memory
    this.#id = id
  }

  get state(): CallState {
    return this.#memory.load(this.#id)?.state ?? emptyCallState
  }

  get isEmpty(): boolean {
    return this.state === emptyCallState
  }

  get isForgetful(): boolean {
    return this.#memory.load(this.#id)?.isForgetful ?? false
  }

  get changed(): Promise<void> {
    const kept = this.#memory.load(this.#id)
    const changes = kept?.changes ?? this.#changes ?? deferred()
    if (kept === undefined) this.#changes = changes
    else kept.changes = changes
    return changes.promise
  }

  async settled(): Promise<void> {}

  write(decide: Decide): boolean {
    const kept = this.#memory.load(this.#id) ?? emptyLog()
    const event = decide(kept.state)
    if (event === undefined) return false
    const { state, changes } = kept
    this.#memory.save(this.#id, kept, reduce(state, event))
    kept.changes = undefined
    if (kept.state !== state) this.listener?.learned(event, kept.state, true)
    changes?.resolve()
    this.#changes?.resolve()
    this.#changes = undefined
    return true
  }

  async read(): Promise<CallState> {
    return this.state
  }

  async confirm(): Promise<boolean> {
    return true
  }
}

function emptyLog(): KeptLog {
  return { state: emptyCallState, isForgetful: false, changes: undefined, admission: undefined, weighed: 0, bytes: 0 }
}
