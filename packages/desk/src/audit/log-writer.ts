// Writes the audit of one start of a node: to a log of its own for each hour, which nobody else writes, many entries at once.
//
// An append says what it comes after. One that rejected may have been made: it is sent again as it was, and when the log has
// moved on by then, what is there says whether that was it. Where it was not, somebody else wrote to this log, or it was cut:
// it is left as it is for `verify` to report, and another one begins.

import { dropOldest, SerialQueue } from '@beckon/core'
import type { Expiry, JsonValue, Store } from 'beckon/store'
import { OrderedSet } from 'beckon/store/handles'
import { beginningOf, type ChainHead, type ChainRecord, chained, decodeRecord } from './chain.js'
import type { AboutAsk, AuditEntry, EntryDraft, ShownText } from './entry.js'
import type { AuditKeys } from './keys.js'
import { auditNames, encodeLogName, hourMs, hourOf, type LogName, lateMs } from './log-names.js'
import { readRecords } from './read-records.js'
import type { AuditTexts } from './texts.js'

export interface LogWriterOptions {
  readonly store: Store
  readonly node: string
  readonly now: () => number
  readonly keepMs: number | undefined
  readonly keys: AuditKeys
  readonly texts: AuditTexts
}

interface OpenLog extends LogName {
  readonly member: string
  head: ChainHead
}

/** Records that are to be appended together, or may have been. */
interface Batch {
  readonly log: OpenLog
  readonly drafts: number
  readonly records: readonly ChainRecord[]
}

/** Where the words of an ask are. */
interface KnownText {
  readonly digest: string
  readonly id: string
  readonly hour: number
}

const maxBatch = 500
/** Words in a batch, in characters. Any store can hold that many. */
const maxBatchChars = 256 * 1024
/** So many logs of one hour may be taken from it before it is an error. */
const maxParts = 100
/** Asks whose words are known to be kept. */
const maxKnown = 10_000

export class LogWriter {
  readonly #options: LogWriterOptions
  readonly #known = new Map<string, KnownText>()
  #queue: EntryDraft[] = []
  #log: OpenLog | undefined
  /** Was sent to the store, and it is not known whether it is there. */
  #inDoubt: Batch | undefined
  #writtenAt = 0
  #parts = { hour: -1, count: 0 }
  readonly #flushes = new SerialQueue()

  constructor(options: LogWriterOptions) {
    this.#options = options
  }

  /** How many entries wait. */
  get waiting(): number {
    return this.#queue.length
  }

  add(drafts: readonly EntryDraft[]): void {
    for (const draft of drafts) this.#queue.push(draft)
  }

  /** Writes what waits. Rejects when the store does not take it: it waits on. */
  flush(): Promise<void> {
    return this.#flushes.run(() => this.#flush())
  }

  /** The words of an ask were erased: they are kept again when it is asked again. */
  forgetText(id: string): void {
    for (const [instance, known] of this.#known) if (known.id === id) this.#known.delete(instance)
  }

  async #flush(): Promise<void> {
    let parts = 0
    while (this.#queue.length > 0) {
      this.#inDoubt ??= await this.#prepare()
      const batch = this.#inDoubt
      const isThere = this.#isLate(batch) ? await this.#isThere(batch) : await this.#append(batch)
      this.#inDoubt = undefined
      if (isThere) this.#queue.splice(0, batch.drafts)
      else {
        if (++parts > maxParts) throw new Error('Another process is writing to the logs of this audit.')
        this.#log = undefined
      }
    }
  }

  async #prepare(): Promise<Batch> {
    const { keys, texts, now } = this.#options
    await keys.load()
    this.#writtenAt = Math.max(this.#writtenAt, Math.floor(now()))
    const log = await this.#logFor(this.#writtenAt)
    const id = texts.newId()
    const added = new Map<string, ShownText>()
    const fresh = new Map<string, KnownText>()
    const records: ChainRecord[] = []
    let { head } = log
    let chars = 0
    for (const draft of this.#queue.slice(0, maxBatch)) {
      if (chars > maxBatchChars) break
      const { about } = draft
      const text = about && this.#textOf(draft.entry, about, { id, hour: log.hour, fresh })
      if (about !== undefined && text?.id === id && !added.has(text.digest)) {
        added.set(text.digest, about.text)
        chars += JSON.stringify(about.text).length
      }
      const record = chained(head, {
        e: this.#entryOf(draft, text?.digest),
        w: this.#writtenAt,
        ...(text?.id !== undefined && { t: text.id }),
      })
      records.push(record)
      head = record
    }
    if (added.size > 0) await texts.keep(id, added, this.#expiryOf(log))
    this.#remember(fresh)
    return { log, drafts: records.length, records }
  }

  /** Where the words are that an entry is about. The beginning of an ask and its end have them; what is between says which. */
  #textOf(
    { event }: Pick<AuditEntry, 'event'>,
    { instance, text }: AboutAsk,
    { id, hour, fresh }: { readonly id: string; readonly hour: number; readonly fresh: Map<string, KnownText> },
  ): { readonly digest: string; readonly id?: string } {
    const known = fresh.get(instance) ?? this.#known.get(instance)
    if (known?.hour === hour) return known
    const digest = known?.digest ?? this.#options.keys.digest(text)
    if (event === 'viewed' || event === 'drafted' || event === 'reminded') return { digest }
    fresh.set(instance, { digest, id, hour })
    return { digest, id }
  }

  #remember(fresh: ReadonlyMap<string, KnownText>): void {
    for (const [instance, known] of fresh) {
      this.#known.delete(instance)
      this.#known.set(instance, known)
      dropOldest(this.#known, maxKnown)
    }
  }

  #entryOf({ entry, about, answer }: EntryDraft, digest: string | undefined): AuditEntry {
    const { keys } = this.#options
    return {
      ...entry,
      ...(digest !== undefined && { shown: { digest } }),
      ...(about?.arguments !== undefined && { arguments: keys.digest(about.arguments) }),
      ...(answer !== undefined && { answer: keys.digest(answer) }),
    }
  }

  /** Whether the batch is there. */
  async #append(batch: Batch): Promise<boolean> {
    const { log, records } = batch
    const { n: after } = log.head
    // Records are plain JSON.
    const values = records as unknown as JsonValue[]
    const appended = await this.#options.store.append(auditNames.log(log.member), values, {
      after,
      ...this.#expiryOf(log),
    })
    if (appended === undefined) return this.#isThere(batch)
    log.head = records.at(-1) ?? log.head
    return true
  }

  async #isThere({ log, records }: Batch): Promise<boolean> {
    const last = records.at(-1)
    if (last === undefined) return true
    const [there] = await readRecords(this.#options.store, auditNames.log(log.member), { after: last.n - 1, limit: 1 })
    if (decodeRecord(there?.value)?.h !== last.h) return false
    log.head = last
    return true
  }

  /** Its hour is over, and signed without it. */
  #isLate({ log }: Batch): boolean {
    return this.#options.now() >= log.hour + hourMs + lateMs
  }

  async #logFor(at: number): Promise<OpenLog> {
    const { store, node } = this.#options
    const hour = hourOf(at)
    if (this.#log?.hour === hour) return this.#log
    // Where the last one was given up, this is the next of the same hour.
    const part = this.#part(hour)
    const member = encodeLogName({ hour, node, part })
    await new OrderedSet(store, auditNames.logs).put(member, hour)
    this.#log = { hour, node, part, member, head: beginningOf(member) }
    return this.#log
  }

  #part(hour: number): number {
    this.#parts = this.#parts.hour === hour ? { hour, count: this.#parts.count + 1 } : { hour, count: 0 }
    return this.#parts.count
  }

  #expiryOf({ hour }: LogName): Expiry {
    return expiryOf(hour, this.#options.keepMs)
  }
}

/** When what was written in an hour may go. */
export function expiryOf(hour: number, keepMs: number | undefined): Expiry {
  return keepMs === undefined ? {} : { expiresAt: hour + hourMs + keepMs }
}
