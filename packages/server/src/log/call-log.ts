// The log of one call: in the store, or in memory where the store is not shared.
import type { CallEvent } from './events.js'
import type { CallState } from './reduce.js'

/** Decides what to add to a log, given how the call stands; undefined for nothing. It may be asked more than once. */
export type Decide = (state: CallState) => CallEvent | undefined

/** Who is told what becomes of a log. */
export interface LogListener {
  /** An event that changes something: what was written here, and what others wrote, in order. */
  learned(event: CallEvent, state: CallState, isOwn: boolean): void
  /** What was known is no longer what the log has. */
  lost(): void
}

export interface CallLog {
  /** Who runs the call here, if anyone does. */
  listener: LogListener | undefined
  /** As far as it is known here. */
  readonly state: CallState
  /** How many entries that outlast a reopening were let go, to save memory: with a state that lacks them nobody goes on. */
  readonly forgotten: number
  /** Whether there is something that is not stored yet. */
  readonly isBusy: boolean
  /** Resolves when all that was written so far is stored, or could not be. */
  settled(): Promise<void>
  /**
   * Writes what `decide` gives for the state as it is then. Whether there was something to write: at once, where it is in memory.
   * @param expiresAt When the log may go, unless something later says otherwise.
   */
  write(decide: Decide, expiresAt?: number): boolean | Promise<boolean>
  /** Reads what others have written. */
  read(): Promise<CallState>
  /** Whether a write would have been possible, after all that is known; false where something else came first. @throws where none would */
  confirm(): Promise<boolean>
}
