import type { JsonValue } from '../json.js'
import type { EventLogOptions } from './event-log-options.js'
import { decodeStored, eventIdOf, goingOn } from './stored-event.js'

/** An event of a log, with how things stood before and after it. */
export interface ReplayedEvent<State, Event> {
  readonly event: Event
  readonly id: string
  readonly before: State
  readonly after: State
}

/** The events of a log that are left, from the first snapshot on, as `onEvent` told them when they were written. */
export async function replayEvents<State, Event extends object>({
  store,
  name,
  empty,
  reduce,
  snapshots,
}: Pick<EventLogOptions<State, Event>, 'store' | 'name' | 'empty' | 'reduce' | 'snapshots'>): Promise<
  ReplayedEvent<State, Event>[]
> {
  const replayed: ReplayedEvent<State, Event>[] = []
  let pieces: JsonValue[] = []
  let state = empty
  const entries = (await store.read(name)).map(entry => decodeStored<Event>(entry, name))
  for (const { seq, stored } of goingOn(entries)) {
    const { w, e: events = [], s: piece, z: isLast } = stored
    if (piece !== undefined) pieces.push(piece)
    if (isLast) {
      // Any other says what is known.
      if (replayed.length === 0 && snapshots !== undefined) state = snapshots.decode(pieces)
      pieces = []
    }
    for (const [index, event] of events.entries()) {
      const after = reduce(state, event)
      replayed.push({ event, id: eventIdOf(w, seq, index), before: state, after })
      state = after
    }
  }
  return replayed
}
