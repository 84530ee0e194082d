// Who did what to which ask, and when; never what they answered. Append-only, and chained so that a change shows.
//
// A1 An entry of what happened to a session is in the audit although its node died: `pending.ts`.
// A2 Nodes do not wait for each other: each start of one writes logs of its own, `log-writer.ts`.
// A3 What was deleted, moved, doubled, changed or forged is found by `verify`, and the rest is read: `chain.ts`, `manifests.ts`.
// A4 Words can be erased, and the chain stays whole: `texts.ts`.

import { randomUUID } from 'node:crypto'
import { dropOldest } from '@beckon/core'
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import { OrderedSet } from 'beckon/store/handles'
import type { AskIndex } from '../index/ask-index.js'
import type { Sessions, Told } from '../sessions/sessions.js'
import type { ChainRecord } from './chain.js'
import { auditEntries } from './entries.js'
import type { AuditEntry, EntryDraft, NewEntry } from './entry.js'
import { Floods } from './floods.js'
import { AuditKeys } from './keys.js'
import { auditNames, decodeCursor, encodeCursor, hourMs, hourOf, lateMs } from './log-names.js'
import { LogReader } from './log-reader.js'
import { expiryOf, LogWriter } from './log-writer.js'
import { Manifests } from './manifests.js'
import { Pending } from './pending.js'
import { Recovery } from './recover.js'
import type { AuditReport, AuditVerifyOptions } from './report.js'
import { AuditTexts } from './texts.js'
import { Upkeep } from './upkeep.js'
import { unreadable, verifyAudit } from './verify.js'
import { WriteTimer } from './write-timer.js'

export interface AuditQuery {
  readonly session?: string
  readonly request?: string
  readonly principal?: string
  /** Milliseconds. */
  readonly since?: number
  readonly limit?: number
}

/** Which entries are read, in the order in which they were written. */
export interface AuditPage {
  /** The cursor of the last entry that is known. */
  readonly after?: string | undefined
  /** What happened at this time or later, in milliseconds. */
  readonly since?: number | undefined
  /** What was written before this time. Nodes write within a second or two: up to ten seconds ago, nothing comes in between. */
  readonly until?: number | undefined
  readonly limit?: number | undefined
}

/** An entry, and where to go on behind it. */
export interface AuditRecord {
  readonly cursor: string
  readonly entry: AuditEntry
}

export interface AuditOptions {
  readonly store: Store
  readonly clock: Clock
  /** This start of this node. */
  readonly node: string
  readonly sessions: Pick<Sessions, 'listen' | 'replay'>
  readonly index: Pick<AskIndex, 'addNames'>
  /** How long entries are kept, at least; an hour is forgotten as a whole. Default: for good. */
  readonly keepMs?: number | undefined
  readonly onError: (error: unknown) => void
}

/** Entries are written together: those that somebody waits for soon, those that are made good after a crash later. */
const soonMs = 50
const laterMs = 1_000
/** Views and refusals that wait for a store that is away. */
const maxWaiting = 10_000
/** Entries that a reader knows again. */
const maxSeen = 20_000
const skewMs = 10_000
const pruneAtOnce = 500

export class Audit {
  readonly #options: AuditOptions
  readonly #keys: AuditKeys
  readonly #texts: AuditTexts
  readonly #reader: LogReader
  readonly #writer: LogWriter
  readonly #manifests: Manifests
  readonly #recovery: Recovery
  readonly #pending: Pending | undefined
  readonly #upkeep: Upkeep
  readonly #timer: WriteTimer
  readonly #floods = new Floods()
  readonly #stops: readonly (() => void)[]
  /** Logs in which something was found that nobody can trust. */
  readonly #broken = new Set<string>()
  #keptTo = Number.NEGATIVE_INFINITY

  constructor(options: AuditOptions) {
    const { store, clock, node, keepMs, sessions, index, onError } = options
    const now = () => clock.now()
    this.#options = options
    const keys = new AuditKeys({ store, key: auditNames.keys, now })
    const texts = new AuditTexts(store)
    const reader = new LogReader({ store, onBroken: (log, seq) => this.#foundBroken(log, seq) })
    const writer = new LogWriter({ store, node, now, keepMs, keys, texts })
    const recovery = new Recovery({ store, sessions, reader, writer, now })
    this.#keys = keys
    this.#texts = texts
    this.#reader = reader
    this.#writer = writer
    this.#recovery = recovery
    this.#manifests = new Manifests({ store, keys, reader, now, keepMs })
    this.#timer = new WriteTimer(() => writer.flush())
    const recover = recovery.recover.bind(recovery)
    // What is in one process alone goes with it: there is nothing to make good.
    const pending = store.shared ? new Pending({ store, node, clock, flush: () => writer.flush(), recover }) : undefined
    this.#pending = pending
    this.#stops = [
      sessions.listen(told => this.#happened(told)),
      ...(pending ? [index.addNames(happened => pending.notesFor(happened))] : []),
    ]
    this.#upkeep = new Upkeep({ store, clock, look: () => this.#look(), keep: () => this.#keep(), onError })
  }

  /**
   * Writes what is in no session's log: views and refusals. Rejects when they could not be written soon: they are with what
   * comes next.
   */
  record(...entries: readonly NewEntry[]): Promise<void> {
    return this.recordDrafts(entries.map(entry => ({ entry: { ...entry, id: randomUUID() } })))
  }

  /** The same, of what is not done unless it was written: rejects as well where too much waits to be written. */
  async require(entry: NewEntry): Promise<void> {
    if (this.#writer.waiting >= maxWaiting)
      throw new Error('The audit log cannot be written right now, so nothing was done.')
    await this.record(entry)
  }

  recordDrafts(all: readonly EntryDraft[]): Promise<void> {
    const drafts = all.flatMap(draft => this.#floods.take(draft))
    if (drafts.length === 0 || this.#writer.waiting + drafts.length > maxWaiting) return Promise.resolve()
    this.#writer.add(drafts)
    return this.#timer.within(soonMs)
  }

  /** Resolves when nothing is left to write, or could not be written. */
  async written(): Promise<void> {
    await this.#timer.now().catch(() => {})
  }

  /** The entries that fit, in the order in which things happened. */
  async query({ session, request, principal, since = 0, limit = Infinity }: AuditQuery = {}): Promise<AuditEntry[]> {
    const found: AuditEntry[] = []
    for await (const { entry } of this.entries({ since })) {
      if (found.length >= limit) break
      if ((session ?? entry.session) !== entry.session) continue
      if ((request ?? entry.request) !== entry.request || (principal ?? entry.by?.principal) !== entry.by?.principal)
        continue
      found.push(entry)
    }
    return found.sort((a, b) => a.at - b.at)
  }

  /** Everything, as JSON Lines. */
  async *export(): AsyncGenerator<string, void, undefined> {
    for await (const { entry } of this.entries()) yield `${JSON.stringify(entry)}\n`
  }

  /** The entries behind a cursor. It begins there, and reads no more than it is asked for. What nobody can trust is left out. */
  async *entries(page: AuditPage = {}): AsyncGenerator<AuditRecord, void, undefined> {
    const { after: cursor, since = 0, until = Infinity, limit = Infinity } = page
    const after = cursor === undefined ? undefined : decodeCursor(cursor)
    if (cursor !== undefined && after === undefined) throw new RangeError(`"${cursor}" is not a cursor of the audit.`)
    const { clock, keepMs = Infinity } = this.#options
    // What was recorded here is there.
    await this.written()
    const from = Math.max(0, since - skewMs, hourOf(clock.now() - keepMs))
    const seen = new Set<string>()
    const withText = this.#withTexts()
    let left = limit
    if (left <= 0) return
    for await (const { place, record } of this.#reader.records({ after, from, until, limit })) {
      const { id, at } = record.e
      // A node that was taken for dead may have written what another one has made good.
      if (at < since || seen.has(id)) continue
      seen.add(id)
      dropOldest(seen, maxSeen)
      yield { cursor: encodeCursor(place), entry: await withText(record) }
      if (--left <= 0) return
    }
  }

  /** Checks that the audit is what was written. */
  async verify(options: AuditVerifyOptions = {}): Promise<AuditReport> {
    const { store, clock } = this.#options
    await this.written()
    const { reader, manifests, keys, texts } = this.#parts
    return verifyAudit({ store, keys, texts, reader, manifests, now: () => clock.now() }, options)
  }

  /** The digest that entries have of a value: of arguments, of an answer, or of a shown text. */
  async digest(value: unknown): Promise<string> {
    await this.#keys.load()
    return this.#keys.digest(value)
  }

  /** Erases what people were shown, of a session or one of its asks. What happened stays. Resolves to how many texts that were. */
  async eraseTexts({ session, request }: { readonly session: string; readonly request?: string }): Promise<number> {
    await this.written()
    let erased = 0
    const all = { from: 0, until: Infinity, limit: Infinity }
    for await (const { record } of this.#reader.records(all)) {
      const { e: entry, t: id, w } = record
      if (entry.session !== session || (request ?? entry.request) !== entry.request) continue
      if (id === undefined || entry.shown === undefined) continue
      this.#writer.forgetText(id)
      if (await this.#texts.erase(id, entry.shown.digest, expiryOf(hourOf(w), this.#options.keepMs))) erased++
    }
    return erased
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop()
    await this.#upkeep.close()
    this.#addDue(Infinity)
    await this.written()
    await this.#pending?.close().catch(() => {})
  }

  get #parts() {
    return { reader: this.#reader, manifests: this.#manifests, keys: this.#keys, texts: this.#texts }
  }

  #happened(told: Told): void {
    if (!told.isOwn) return
    this.#writer.add(auditEntries(told))
    if (this.#writer.waiting > 0) this.#timer.within(laterMs).catch(this.#options.onError)
  }

  #addDue(now: number): void {
    this.#writer.add(this.#floods.due(now))
  }

  async #look(): Promise<void> {
    this.#addDue(this.#options.clock.now())
    if (this.#writer.waiting > 0) await this.#timer.now()
    await this.#pending?.look()
  }

  /** What one node does for all. */
  async #keep(): Promise<void> {
    await this.#recovery.run()
    const over = hourOf(this.#options.clock.now() - lateMs)
    if (over <= this.#keptTo) return
    await this.#manifests.sign()
    await this.#manifests.forget()
    await this.#prune()
    this.#keptTo = over
  }

  /** Logs that are gone by their expiry leave their names. */
  async #prune(): Promise<void> {
    const { store, clock, keepMs } = this.#options
    if (keepMs === undefined) return
    const logs = new OrderedSet(store, auditNames.logs)
    await logs.removeRead(await logs.range({ to: clock.now() - keepMs - 2 * hourMs, limit: pruneAtOnce }))
  }

  /** Gives entries the words that were shown. Those of a batch are one value: it is read once. */
  #withTexts(): (record: ChainRecord) => Promise<AuditEntry> {
    let known: { readonly id: string; readonly texts: Awaited<ReturnType<AuditTexts['read']>> } | undefined
    return async ({ e: entry, t: id }) => {
      const { shown } = entry
      if (id === undefined || shown === undefined) return entry
      if (known?.id !== id) known = { id, texts: (await this.#texts.read(id).catch(unreadable)) ?? {} }
      const text = known.texts[shown.digest]
      return text === undefined ? entry : { ...entry, shown: { ...shown, text } }
    }
  }

  #foundBroken(log: string, seq: number): void {
    if (this.#broken.has(log)) return
    this.#broken.add(log)
    const where = `entry ${seq} of the log ${log}`
    this.#options.onError(new Error(`The audit was changed: ${where} cannot be trusted. verify() says what else.`))
  }
}
