// Who did what to which ask, and when; never what they answered. Append-only. It is kept in a log for every week, so that
// old weeks can go and a page begins where the last one ended. What cannot be written now is written with what comes next.
import type { JsonValue, Store } from 'beckon/store'
import type { Actor } from '../model/events.js'

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
  /** A turn, by a client. */
  | 'started'
  | 'cancelled'
  | 'truncated'
  /** The title of a session, or its marks. */
  | 'changed'

export interface AuditEntry {
  readonly event: AuditEvent
  /** Milliseconds. */
  readonly at: number
  readonly session: string
  readonly request?: string
  readonly question?: string
  /** Absent for what the desk did itself. */
  readonly by?: Actor
  /** Why an action was rejected, or what was recorded. */
  readonly reason?: string
}

export interface AuditQuery {
  readonly session?: string
  readonly request?: string
  readonly principal?: string
  readonly since?: number
  readonly limit?: number
}

/** An entry and its number, which grows from entry to entry. */
export interface NumberedEntry {
  readonly number: number
  readonly entry: AuditEntry
}

/** Which entries are read, oldest first. */
export interface AuditPage {
  /** The number of the last entry that is known. */
  readonly after?: number | undefined
  /** Milliseconds. */
  readonly since?: number | undefined
  readonly limit?: number | undefined
}

export interface AuditOptions {
  readonly store: Store
  readonly name: string
  readonly now: () => number
  /** How long entries are kept, at least; a week is forgotten as a whole. Default: for good. */
  readonly keepMs?: number | undefined
}

const weekMs = 7 * 24 * 60 * 60 * 1000
/** A number says in which week an entry is, and its place there. */
const perWeek = 1_000_000_000
const pageEntries = 1_000
/** Entries of so long a time are written together. */
const togetherMs = 50
/** Entries that wait for a store that is away. */
const maxWaiting = 10_000

export class Audit {
  readonly #options: AuditOptions
  readonly #name: string
  #waiting: AuditEntry[] = []
  #tail: Promise<unknown> = Promise.resolve()
  /** What is written next, and how to write it now. */
  #soon: Promise<void> | undefined
  #flush: () => void = () => {}
  /** The first week that there is. */
  #first: number | undefined

  constructor(options: AuditOptions) {
    this.#options = options
    this.#name = `${options.name}/audit`
  }

  /** Writes entries, soon, together with others. Rejects when they could not be written then: they are with what comes next. */
  record(...entries: readonly AuditEntry[]): Promise<void> {
    for (const entry of entries) this.#waiting.push(entry)
    if (this.#waiting.length > maxWaiting) this.#waiting.splice(0, this.#waiting.length - maxWaiting)
    this.#soon ??= new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#flush(), togetherMs)
      this.#flush = () => {
        clearTimeout(timer)
        this.#flush = () => {}
        this.#soon = undefined
        const written = this.#tail.then(() => this.#write())
        this.#tail = written.catch(() => {})
        written.then(resolve, reject)
      }
    })
    return this.#soon
  }

  /** Resolves when nothing is left to write, or could not be written. */
  async written(): Promise<void> {
    this.#flush()
    // What a store that was away did not take is still here.
    if (this.#waiting.length > 0) this.#tail = this.#tail.then(() => this.#write()).catch(() => {})
    await this.#tail
  }

  /** The entries that fit, oldest first. */
  async query({ session, request, principal, since = 0, limit = Infinity }: AuditQuery = {}): Promise<AuditEntry[]> {
    const found: AuditEntry[] = []
    for await (const { entry } of this.entries({ since })) {
      if (found.length >= limit) break
      if ((session ?? entry.session) !== entry.session) continue
      if ((request ?? entry.request) !== entry.request || (principal ?? entry.by?.principal) !== entry.by?.principal)
        continue
      found.push(entry)
    }
    return found
  }

  /** Everything, as JSON Lines. */
  async *export(): AsyncGenerator<string, void, undefined> {
    for await (const { entry } of this.entries()) yield `${JSON.stringify(entry)}\n`
  }

  /** The entries after a number, oldest first. It begins there, and reads no more than it is asked for. */
  async *entries({
    after = 0,
    since = 0,
    limit = Infinity,
  }: AuditPage = {}): AsyncGenerator<NumberedEntry, void, undefined> {
    const { store, now, keepMs = Infinity } = this.#options
    // What was recorded here is there.
    await this.written()
    const from = Math.max(
      await this.#firstWeek(),
      weekOf(Math.max(since, now() - keepMs, 0)),
      Math.floor(after / perWeek),
    )
    let left = limit
    for (let week = from; week <= weekOf(now()); week++) {
      for (let seq = Math.max(0, after - week * perWeek); left > 0; ) {
        const wanted = Math.min(pageEntries, left)
        const lines = await store.read(this.#logOf(week), { after: seq, limit: wanted })
        for (const line of lines) {
          // What is in this log, an audit wrote.
          const entry = line.value as unknown as AuditEntry
          if (entry.at < since) continue
          left--
          yield { number: week * perWeek + line.seq, entry }
        }
        if (lines.length < wanted) break
        seq = lines.at(-1)?.seq ?? seq
      }
    }
  }

  async #write(): Promise<void> {
    const { store, keepMs } = this.#options
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const week = weekOf(first.at)
      const end = this.#waiting.findIndex(({ at }) => weekOf(at) !== week)
      const entries = this.#waiting.slice(0, end < 0 ? this.#waiting.length : end)
      await this.#firstWeek(week)
      const expiry = keepMs === undefined ? {} : { expiresAt: (week + 1) * weekMs + keepMs }
      // Entries are plain JSON.
      await store.append(this.#logOf(week), entries as unknown as JsonValue[], expiry)
      const written = new Set(entries)
      this.#waiting = this.#waiting.filter(entry => !written.has(entry))
    }
  }

  /** The first week that anyone wrote to; the one that is given, when that is the first. */
  async #firstWeek(week?: number): Promise<number> {
    if (this.#first !== undefined && this.#first <= (week ?? this.#first)) return this.#first
    const { store, now } = this.#options
    for (;;) {
      const entry = await store.get(this.#name)
      const known = typeof entry?.value === 'number' ? entry.value : undefined
      if (known !== undefined && known <= (week ?? known)) {
        this.#first = known
        return known
      }
      if (week === undefined) return weekOf(now())
      await store.compareAndSet(this.#name, entry?.version, week)
    }
  }

  #logOf(week: number): string {
    return `${this.#name}/${week}`
  }
}

function weekOf(at: number): number {
  return Math.floor(at / weekMs)
}
