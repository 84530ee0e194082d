// A log that every node keeps up with: what people set for themselves, and rules. It is small, so that what is new costs one read,
// however much there is. Hints bring what is new, and a look now and then what hints missed.
import type { Clock } from 'beckon'
import type { JsonValue, Store } from 'beckon/store'
import { EventLog, Watch } from 'beckon/store/handles'

export interface WatchedLogOptions<S, E extends object, I> {
  readonly store: Store
  /** Its name in the store. */
  readonly name: string
  readonly clock: Clock
  readonly empty: S
  readonly reduce: (state: S, event: E) => S
  /** What a snapshot has of a state: items that JSON keeps as they are. */
  readonly itemsOf: (state: S) => readonly I[]
  readonly fromItems: (items: readonly I[]) => S
  /** How many items are written as one piece of a snapshot. */
  readonly pieceItems: number
}

/** What a change comes to. */
export interface LogChange<E, R> {
  readonly events: readonly E[]
  readonly result: R
}

const snapshotEvery = 200
/** Hints may be lost. */
const lookEveryMs = 30_000

export class WatchedLog<S, E extends object, I> {
  readonly #options: WatchedLogOptions<S, E, I>
  readonly #log: EventLog<S, E>
  readonly #watch: Watch

  constructor(options: WatchedLogOptions<S, E, I>) {
    const { store, name, clock, empty, reduce, itemsOf, fromItems, pieceItems } = options
    this.#options = options
    const snapshots = {
      every: snapshotEvery,
      encode: (state: S) => encodePieces(itemsOf(state), pieceItems),
      decode: (pieces: readonly JsonValue[]) => fromItems(decodePieces<I>(pieces)),
    }
    this.#log = new EventLog<S, E>({ store, name, empty, reduce, snapshots })
    // A node that never needed it reads it when it does.
    const look = () => (this.#log.isLoaded ? this.#log.read() : undefined)
    this.#watch = new Watch({ store, topic: this.#topic, clock, everyMs: lookEveryMs, look })
    this.#watch.start()
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

  close(): Promise<void> {
    return this.#watch.stop()
  }

  get #topic(): string {
    return `${this.#options.name}-changed`
  }
}

/** The first piece is empty, so that there is one in any case. */
function encodePieces(items: readonly unknown[], pieceItems: number): readonly JsonValue[] {
  const pieces = ['[]']
  for (let from = 0; from < items.length; from += pieceItems)
    pieces.push(JSON.stringify(items.slice(from, from + pieceItems)))
  return pieces
}

function decodePieces<I>(pieces: readonly JsonValue[]): I[] {
  return pieces.flatMap(piece => JSON.parse(String(piece)) as I[])
}
