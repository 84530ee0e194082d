import { type Deferred, deferred } from '../runtime/deferred.js'
import type { CallLog, Decide, LogListener } from './call-log.js'
import { type CallState, nothing, reduce } from './reduce.js'

/** What is kept of a log that is in memory alone. */
export interface KeptLog {
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
  load(id: string): KeptLog | undefined
  save(id: string, log: KeptLog): void
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
    return this.#memory.load(this.#id)?.state ?? nothing
  }

  get isEmpty(): boolean {
    return this.state === nothing
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
    kept.state = reduce(state, event)
    kept.changes = undefined
    this.#memory.save(this.#id, kept)
    if (kept.state !== state) this.listener?.learned(event, kept.state, true)
    changes?.resolve()
    this.#changes?.resolve()
    this.#changes = undefined
    return true
  }

  async read(): Promise<CallState> {
    return this.state
  }

  async confirm(): Promise<void> {}
}

function emptyLog(): KeptLog {
  return { state: nothing, isForgetful: false, changes: undefined, weighed: 0, bytes: 0 }
}
