import type { JsonValue } from '../json.js'
import type { AppendOptions, LogEntry, Store } from '../store.js'
import type { Step } from './decide-batch.js'

/** How things stood before and after an event. */
export interface Change<State> {
  readonly before: State
  readonly after: State
  /** Whether it was written here. */
  readonly isOwn: boolean
  /** Whether the one who wrote it was told that it failed: the append was made all the same. */
  readonly isUnheard: boolean
  /** Names the event: no two have the same, in whichever log. */
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
  /** How things stand before the first event. */
  readonly empty: State
  readonly reduce: (state: State, event: Event) => State
  /** Told each event once it is stored, in order, also those that others wrote. */
  readonly onEvent?: (event: Event, change: Change<State>) => void
  /** Whether it is told those as well that were there when the log was first read. */
  readonly tellsEarlier?: boolean
  /** What was known is no longer what the log has. */
  readonly onReset?: (before: State) => void
  /** An append was given up, and may have taken effect: the log is to be read once it can be. */
  readonly onUnheard?: () => void
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
