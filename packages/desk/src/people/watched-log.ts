// A log that every node keeps up with: what people set for themselves, and rules. It is small, so that what is new costs one read,
// however much there is. Hints bring what is new, and a look now and then what hints missed.
import type { Clock } from 'beckon'
import type { JsonValue, Store } from 'beckon/store'
import { EventLog } from 'beckon/store/handles'

export interface WatchedLogOptions<S, E extends object> {
  readonly store: Store
  /** Its name in the store. */
  readonly name: string
  readonly clock: Clock
  readonly empty: S
  readonly reduce: (state: S, event: E) => S
  readonly encode: (state: S) => readonly JsonValue[]
  readonly decode: (pieces: readonly JsonValue[]) => S
}

/** What a change comes to. */
export interface LogChange<E, R> {
  readonly events: readonly E[]
  readonly result: R
}

const snapshotEvery = 200
/** Hints may be lost. */
const lookEveryMs = 30_000

export class WatchedLog<S, E extends object> {
  readonly #options: WatchedLogOptions<S, E>
  readonly #log: EventLog<S, E>
  readonly #unsubscribe: Promise<() => Promise<void>>
  #stopTimer: () => void

  constructor(options: WatchedLogOptions<S, E>) {
    const { store, name, empty, reduce, encode, decode } = options
    this.#options = options
    const snapshots = { every: snapshotEvery, encode, decode }
    this.#log = new EventLog<S, E>({ store, name, empty, reduce, snapshots })
    // Without hints, the next look finds out.
    this.#unsubscribe = store.subscribe(this.#topic, () => this.#readSoon()).catch(() => async () => {})
    this.#stopTimer = this.#lookLater()
  }

  /** As far as it is known here; a promise where nothing is, which rejects when the store is away. */
  known(): S | Promise<S> {
    return this.#log.isLoaded ? this.#log.state : this.#log.read()
  }

  /** As it is in the store now. */
  read(): Promise<S> {
    return this.#log.read()
  }

  /** Writes what `decide` says, which may be called more than once; every node hears of it. */
  async write<R>(decide: (state: S) => LogChange<E, R>): Promise<R> {
    let isChanged = false
    const result = await this.#log.write<R>(state => {
      const { events, result } = decide(state)
      isChanged = events.length > 0
      return { events, result, isDoubtful: !isChanged }
    })
    if (isChanged) this.#options.store.publish(this.#topic, null).catch(() => {})
    return result
  }

  async close(): Promise<void> {
    this.#stopTimer()
    const unsubscribe = await this.#unsubscribe
    await unsubscribe().catch(() => {})
  }

  get #topic(): string {
    return `${this.#options.name}-changed`
  }

  #readSoon(): void {
    // A node that never needed it reads it when it does.
    if (this.#log.isLoaded) this.#log.read().catch(() => {})
  }

  #lookLater(): () => void {
    return this.#options.clock.after(lookEveryMs, () => {
      this.#stopTimer = this.#lookLater()
      this.#readSoon()
    })
  }
}
