import type { JsonValue } from '../json.js'
import type { LogEntry } from '../store.js'
import { checkFormat, format } from './format.js'

/**
 * An entry of an event log as it is stored: a format number, the id of its append, in the first of an append the entry that
 * it goes on from, and events or a piece of a snapshot. An append is one entry, but for one of many events, or with a
 * snapshot: each entry is sealed and stored on its own.
 */
interface StoredEvents<Event> {
  readonly v: typeof format
  readonly w: string
  readonly p?: string
  readonly e?: readonly Event[]
  readonly s?: JsonValue
  /** On the last piece of a snapshot. */
  readonly z?: true
}

export interface StoredEntry<Event> {
  readonly seq: number
  readonly stored: StoredEvents<Event>
}

/** Events in an entry: any store can hold that many, as long as each. */
const entryEvents = 20

/** An append as entries. Events are JSON by what they hold; the compiler cannot see that of open records. */
export function encodeAppend<Event>(
  { id, last }: { readonly id: string; readonly last: string },
  events: readonly Event[],
  pieces: readonly JsonValue[],
): JsonValue[] {
  const entries: StoredEvents<Event>[] = []
  for (let from = 0; from < events.length; from += entryEvents) {
    const e = events.length <= entryEvents ? events : events.slice(from, from + entryEvents)
    entries.push(from === 0 ? { v: format, w: id, p: last, e } : { v: format, w: id, e })
  }
  for (const [index, s] of pieces.entries())
    entries.push(index < pieces.length - 1 ? { v: format, w: id, s } : { v: format, w: id, s, z: true })
  return entries as unknown as JsonValue[]
}

/** The name of an entry, which no other has: of an append that lost its end, the last one differs. */
export function entryIdOf(append: string, seq: number): string {
  return `${append}.${seq}`
}

/** The name of an event of an append that begins with the entry of this number: no two have the same, in whichever log. */
export function eventIdIn(append: string, first: number, index: number): string {
  return eventIdOf(append, first + Math.floor(index / entryEvents), index % entryEvents)
}

/** The name of an event by the entry that it is in. */
export function eventIdOf(append: string, seq: number, index: number): string {
  return `${entryIdOf(append, seq)}.${index}`
}

/** @throws for an entry that a later program wrote */
export function decodeStored<Event>({ seq, value }: LogEntry, log: string): StoredEntry<Event> {
  const stored = value as unknown as StoredEvents<Event>
  checkFormat(stored, log)
  return { seq, stored }
}

/**
 * Those that go on from an entry, each from the one before: anything else was written by someone who knew another log.
 * @param from Undefined for all that there is: what is left of a trimmed log begins anywhere.
 */
export function goingOn<Event>(entries: readonly StoredEntry<Event>[], from?: string): readonly StoredEntry<Event>[] {
  const [first] = entries
  let last = from ?? ''
  let isAnything = from === undefined && first !== undefined && first.seq > 1
  return entries.filter(({ seq, stored: { w, p } }) => {
    const isNext = isAnything || (p ?? entryIdOf(w, seq - 1)) === last
    isAnything = false
    if (isNext) last = entryIdOf(w, seq)
    return isNext
  })
}
