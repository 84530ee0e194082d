/** What a write comes to. */
export interface Decision<Event, Result> {
  readonly events: readonly Event[]
  readonly result: Result
  /** It writes nothing because of how things stand: when that is not known for sure, they are read, and it is decided again. */
  readonly isDoubtful?: boolean
  /** When the log may go by itself, once the events are written: the latest of a batch. */
  readonly expiresAt?: number | undefined
}

/** A write that waits for its turn. */
export interface PendingWrite<State, Event> {
  readonly decide: (state: State) => Decision<Event, unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** An event that is about to be written, with how things stand before and after it. */
export interface Step<State, Event> {
  readonly event: Event
  readonly before: State
  readonly after: State
}

/** What one write came to. */
type Decided = { readonly result: unknown } | { readonly error: unknown }

/** What writes that go together came to. */
export interface DecidedBatch<State, Event> {
  readonly steps: readonly Step<State, Event>[]
  readonly results: readonly Decided[]
  readonly isDoubtful: boolean
  readonly expiresAt: number | undefined
}

/** Decides writes one after the other: each by what those before it come to. */
export function decideBatch<State, Event>(
  batch: readonly PendingWrite<State, Event>[],
  from: State,
  reduce: (state: State, event: Event) => State,
): DecidedBatch<State, Event> {
  const steps: Step<State, Event>[] = []
  const results: Decided[] = []
  let state = from
  let isDoubtful = false
  let expiresAt: number | undefined
  for (const { decide } of batch) {
    try {
      const decision = decide(state)
      for (const event of decision.events) {
        const before = state
        state = reduce(before, event)
        steps.push({ event, before, after: state })
      }
      isDoubtful ||= decision.isDoubtful === true
      if (decision.expiresAt !== undefined && decision.events.length > 0)
        expiresAt = Math.max(expiresAt ?? 0, decision.expiresAt)
      results.push({ result: decision.result })
    } catch (error) {
      // A write that throws has written nothing, and does not affect the others of its batch.
      results.push({ error })
    }
  }
  return { steps, results, isDoubtful, expiresAt }
}

/** Tells everyone of a batch what their write came to. */
export function tellResults<State, Event>(
  batch: readonly PendingWrite<State, Event>[],
  results: readonly Decided[],
): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const decided = results[index]
    if (decided !== undefined && 'error' in decided) reject(decided.error)
    else resolve(decided?.result)
  }
}
