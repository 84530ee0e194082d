import type { JsonValue } from 'beckon/store'
import type { Accepted } from '../log/act.js'
import { createRecord, reduceRecord, type SessionRecord } from './session-record.js'

/** Every session of a desk, as of the last line that was applied. */
export class DeskState {
  readonly #sessions = new Map<string, SessionRecord>()

  session(id: string): SessionRecord | undefined {
    return this.#sessions.get(id)
  }

  get size(): number {
    return this.#sessions.size
  }

  /** In the order of their creation. */
  sessions(): IterableIterator<SessionRecord> {
    return this.#sessions.values()
  }

  apply(line: Accepted): void {
    const { session, act, at } = line
    if (act.type === 'sessionCreated') {
      if (!this.#sessions.has(session)) this.#sessions.set(session, createRecord(session, act, at))
      return
    }
    if (act.type === 'sessionDisposed') {
      this.#sessions.delete(session)
      return
    }
    const record = this.#sessions.get(session)
    if (record !== undefined) this.#sessions.set(session, reduceRecord(record, line))
  }

  /** The whole state, for a log to begin a new part with. */
  save(): JsonValue[] {
    // Records are plain JSON.
    return [...this.#sessions.values()] as unknown as JsonValue[]
  }

  load(saved: readonly JsonValue[]): void {
    this.#sessions.clear()
    for (const record of saved as unknown as SessionRecord[]) this.#sessions.set(record.id, record)
  }
}
