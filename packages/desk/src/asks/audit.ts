// Who did what to which ask, and when; never what they answered. Append-only.
import type { JsonValue, Store } from 'beckon/store'
import type { Actor } from '../log/act.js'

/** What can happen to an ask, or to a session. */
export type AuditEvent =
  | 'asked'
  | 'viewed'
  | 'drafted'
  | 'recorded'
  | 'accepted'
  | 'declined'
  | 'dismissed'
  | 'withdrawn'
  | 'expired'
  | 'escalated'
  | 'reminded'
  | 'rejected'

export interface AuditEntry {
  readonly event: AuditEvent
  /** Milliseconds. */
  readonly at: number
  readonly session: string
  readonly request?: string
  readonly question?: string
  /** Absent for what the desk did itself. */
  readonly by?: Actor
  /** Why an action was rejected. */
  readonly reason?: string
}

export interface AuditQuery {
  readonly session?: string
  readonly request?: string
  readonly principal?: string
  readonly since?: number
  readonly limit?: number
}

export class Audit {
  readonly #store: Store
  readonly #log: string

  constructor(store: Store, name: string) {
    this.#store = store
    this.#log = `${name}/audit`
  }

  async record(...entries: readonly AuditEntry[]): Promise<void> {
    // Entries are plain JSON.
    await this.#store.append(this.#log, entries as unknown as JsonValue[])
  }

  /** The entries that fit, oldest first. */
  async query({ session, request, principal, since = 0, limit = Infinity }: AuditQuery = {}): Promise<AuditEntry[]> {
    const found: AuditEntry[] = []
    for await (const entry of this.#entries()) {
      if (found.length >= limit) break
      if (entry.at < since || (session ?? entry.session) !== entry.session) continue
      if ((request ?? entry.request) !== entry.request || (principal ?? entry.by?.principal) !== entry.by?.principal)
        continue
      found.push(entry)
    }
    return found
  }

  /** Everything, as JSON Lines. */
  async *export(): AsyncGenerator<string, void, undefined> {
    for await (const entry of this.#entries()) yield `${JSON.stringify(entry)}\n`
  }

  async *#entries(): AsyncGenerator<AuditEntry, void, undefined> {
    const page = 1_000
    for (let after = 0; ; ) {
      const lines = await this.#store.read(this.#log, { after, limit: page })
      // What is in this log, an audit wrote.
      for (const { value } of lines) yield value as unknown as AuditEntry
      const last = lines.at(-1)
      if (last === undefined || lines.length < page) return
      after = last.seq
    }
  }
}
