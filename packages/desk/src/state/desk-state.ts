import type { JsonValue } from 'beckon/store'
import type { Accepted } from '../log/act.js'
import { createRecord } from './create-record.js'
import { SessionRecord } from './session-record.js'
import type { SavedSession } from './session-states.js'

/** Every session of a desk, as of the last line that was applied. */
export class DeskState {
  readonly #sessions = new Map<string, SessionRecord>()
  #weight = 0

  session(id: string): SessionRecord | undefined {
    return this.#sessions.get(id)
  }

  get size(): number {
    return this.#sessions.size
  }

  /** How much a snapshot would hold, in sessions with few asks. */
  get weight(): number {
    return this.#weight
  }

  /** In the order of their creation. */
  sessions(): IterableIterator<SessionRecord> {
    return this.#sessions.values()
  }

  apply(line: Accepted): void {
    const { session, act, at } = line
    const record = this.#sessions.get(session)
    this.#weight -= record?.weight ?? 0
    if (act.type === 'sessionCreated') this.#sessions.set(session, record ?? createRecord(session, act, at))
    else if (act.type === 'sessionDisposed') this.#sessions.delete(session)
    else record?.apply(line)
    this.#weight += this.#sessions.get(session)?.weight ?? 0
  }

  /** The whole state, for a log to begin a new part with. */
  save(): JsonValue[] {
    // What is saved is plain JSON.
    return [...this.#sessions.values()].flatMap(record => record.save()) as unknown as JsonValue[]
  }

  load(saved: readonly JsonValue[]): void {
    this.#sessions.clear()
    for (const session of saved as unknown as SavedSession[]) {
      if (session.head !== undefined) this.#sessions.set(session.id, new SessionRecord(session.head))
      this.#sessions.get(session.id)?.load(session)
    }
    this.#weight = [...this.#sessions.values()].reduce((sum, { weight }) => sum + weight, 0)
  }
}
