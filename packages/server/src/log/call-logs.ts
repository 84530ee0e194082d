import { digest } from '../crypto/digest.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import type { Store } from '../store/index.js'
import type { CallLog } from './call-log.js'
import { LogMemory, type LogMemoryOptions, MemoryLog } from './memory-log.js'
import type { OwnedCalls } from './owned-calls.js'
import { StoredLog } from './stored-log.js'

const maxNames = 1_000
const maxIdLength = 64

/**
 * The logs of calls: in the store, where others share it; else in memory, so many of them. What callers without a principal
 * leave there pushes out nothing of those who have one.
 */
export class CallLogs {
  readonly #store: Store | undefined
  readonly #owned: OwnedCalls
  readonly #known: LogMemory
  readonly #anonymous: LogMemory
  /** Of ids that came up lately: every request about a call wants its name, some of them twice. */
  readonly #names = new BoundedMap<string, string>({ max: maxNames })

  constructor(store: Store, owned: OwnedCalls, options: LogMemoryOptions) {
    this.#store = store.shared ? store : undefined
    this.#owned = owned
    this.#known = new LogMemory(options)
    this.#anonymous = new LogMemory(options)
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

  #memoryOf(principal: string | undefined): LogMemory {
    return principal === undefined ? this.#anonymous : this.#known
  }
}
