import type { JsonValue } from '../json.js'
import type { LogEntry } from '../store.js'

/**
 * An entry of an event log as it is stored: a format number, the id of its append, in the first of an append that of the one
 * before, and an event or a piece of a snapshot.
 */
export interface StoredEvent<Event> {
  readonly v: typeof format
  readonly w: string
  readonly p?: string
  readonly e?: Event
  readonly s?: JsonValue
  /** On the last piece of a snapshot. */
  readonly z?: true
}

export interface StoredEntry<Event> {
  readonly seq: number
  readonly stored: StoredEvent<Event>
}

const format = 1

/** Events are JSON by what they hold; the compiler cannot see that of open records. */
export function encodeStored<Event>(stored: Omit<StoredEvent<Event>, 'v'>): JsonValue {
  return { v: format, ...stored } satisfies StoredEvent<Event> as unknown as JsonValue
}

export function decodeStored<Event>({ seq, value }: LogEntry): StoredEntry<Event> {
  return { seq, stored: value as unknown as StoredEvent<Event> }
}

/**
 * Those that go on from an append, each from the one before: anything else was written by someone who knew another log.
 * @param from Undefined for all that there is: what is left of a trimmed log begins anywhere.
 */
export function goingOn<Event>(entries: readonly StoredEntry<Event>[], from?: string): readonly StoredEntry<Event>[] {
  const [first] = entries
  const isTrimmed = first !== undefined && first.seq > 1
  let last = from ?? (isTrimmed ? (first.stored.p ?? first.stored.w) : '')
  return entries.filter(({ stored: { w, p = w } }) => {
    if (p !== last) return false
    last = w
    return true
  })
}

/** Names an event: no two have the same, in whichever log. */
export function eventIdOf(append: string, seq: number): string {
  return `${append}.${seq}`
}
