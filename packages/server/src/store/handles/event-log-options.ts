import type { JsonValue } from '../json.js'
import type { AppendOptions, LogEntry, Store } from '../store.js'
import type { Step } from './decide-batch.js'

/** The state before and after an event. */
export interface Change<State> {
  readonly before: State
  readonly after: State
  /** Whether it was written here. */
  readonly isOwn: boolean
  /** Whether its writer was told that the append failed, although it took effect. */
  readonly isUnconfirmed: boolean
  /** The id of the event, unique across all logs. */
  readonly id: string
}

/** How a state is written, so that the events that led to it can go. */
export interface Snapshots<State> {
  /** After so many events. */
  readonly every: number
  /** In pieces that any store can hold. At least one. */
  encode(state: State): readonly JsonValue[]
  decode(pieces: readonly JsonValue[]): State
}

export interface EventLogOptions<State, Event> {
  readonly store: Store
  readonly name: string
  /** The state before the first event. */
  readonly empty: State
  readonly reduce: (state: State, event: Event) => State
  /** Called with each event once it is stored, in order, events of other processes included. */
  readonly onEvent?: (event: Event, change: Change<State>) => void
  /** Whether `onEvent` is also called with the events that were there when the log was first read. */
  readonly emitsHistory?: boolean
  /** Something was taken that `onEvent` was not called with: what was there when the log was first read, whatever for, or read anew. */
  readonly onUntold?: () => void
  /** The log no longer has the entries that were known here. */
  readonly onReset?: (before: State) => void
  /** Entries were found that are no part of the log: what went with their appends took effect. */
  readonly onStray?: () => void
  /** An append was given up, and may have taken effect: read the log once the store answers again. */
  readonly onUnconfirmed?: () => void
  /** Given what was appended here, once it is stored and told: `take` of another process takes it. */
  readonly onAppended?: ((entries: readonly LogEntry[]) => void) | undefined
  /** Runs the append of what happens, with the changes of sets that go with it; what has to be done before and after, it does. */
  readonly around?: (
    steps: readonly Step<State, Event>[],
    append: (names?: Pick<AppendOptions, 'puts' | 'removals'>) => Promise<number | undefined>,
  ) => Promise<number | undefined>
  /** When the log may go by itself, for a state that is written. Without one, the expiry stays. */
  readonly expiresAt?: (before: State, after: State) => number | undefined
  readonly snapshots?: Snapshots<State>
}
