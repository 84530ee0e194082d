import type { JsonValue } from '../json.js'
import type { LogEntry } from '../store.js'

/** An entry of an event log as it is stored: a format number, the id of its append, and an event or a piece of a snapshot. */
export interface StoredEvent<Event> {
  readonly v: typeof format
  readonly w: string
  readonly e?: Event
  readonly s?: JsonValue
  /** On the last piece of a snapshot. */
  readonly z?: true
}

export const format = 1

/** Events are JSON by what they hold; the compiler cannot see that of open records. */
export function encodeStored<Event>(stored: StoredEvent<Event>): JsonValue {
  return stored as unknown as JsonValue
}

export function decodeStored<Event>({ seq, value }: LogEntry): {
  readonly seq: number
  readonly stored: StoredEvent<Event>
} {
  return { seq, stored: value as unknown as StoredEvent<Event> }
}

/** Names an event: no two have the same, in whichever log. */
export function eventIdOf(append: string, seq: number): string {
  return `${append}.${seq}`
}
