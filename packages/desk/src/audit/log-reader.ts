// Reads the logs of the audit as one, in the order in which they were written: hour by hour, and within an hour all of its logs
// side by side.
import type { Store } from 'beckon/store'
import { OrderedSet } from 'beckon/store/handles'
import { type ChainRecord, decodeRecord, isIntact } from './chain.js'
import { auditNames, comparePlaces, decodeLogName, hourOf, type RecordPlace } from './log-names.js'
import { readRecords } from './read-records.js'

/** A record, and where it is. */
export interface PlacedRecord {
  readonly place: RecordPlace
  readonly record: ChainRecord
}

export interface ReadFrom {
  /** Behind this place. */
  readonly after?: RecordPlace | undefined
  /** Written at this time or later. */
  readonly from: number
  /** Written before this time. */
  readonly until: number
  /** How many are wanted, as far as that is known. */
  readonly limit: number
}

export interface LogReaderOptions {
  readonly store: Store
  /** Told of a record that nobody can trust, and that is left out. */
  readonly onBroken: (log: string, seq: number) => void
}

const pageLogs = 500
/** Records that are read at once, over all logs of an hour. */
const pageRecords = 1_000
const minPage = 20

export class LogReader {
  readonly #options: LogReaderOptions

  constructor(options: LogReaderOptions) {
    this.#options = options
  }

  /** The logs of each hour, the earliest first. */
  async *hours(from: number): AsyncGenerator<{ readonly hour: number; readonly logs: string[] }, void, undefined> {
    const names = new OrderedSet(this.#options.store, auditNames.logs)
    let hour = from
    let logs: string[] = []
    for await (const found of names.pages({ from: { score: from }, limit: pageLogs })) {
      for (const { score, member } of found) {
        // Anyone who writes to the store can put anything there.
        if (decodeLogName(member)?.hour !== score) continue
        if (score !== hour && logs.length > 0) {
          yield { hour, logs }
          logs = []
        }
        hour = score
        logs.push(member)
      }
    }
    if (logs.length > 0) yield { hour, logs }
  }

  async *records({ after, from, until, limit }: ReadFrom): AsyncGenerator<PlacedRecord, void, undefined> {
    const start = Math.max(from, after?.at ?? 0)
    for await (const { hour, logs } of this.hours(hourOf(start))) {
      if (hour >= until) return
      const page = Math.max(1, Math.min(limit, Math.max(minPage, Math.floor(pageRecords / logs.length))))
      const scans = await Promise.all(
        logs.map(async log => this.#scan(log, await this.#startIn(log, start, after), page)),
      )
      for await (const placed of merged(scans)) {
        if (placed.place.at < from || placed.place.at >= until) continue
        if (after === undefined || comparePlaces(placed.place, after) > 0) yield placed
      }
    }
  }

  /** The records of a log, those left out that nobody can trust. */
  async *#scan(log: string, start: number, page: number): AsyncGenerator<PlacedRecord, void, undefined> {
    const { store, onBroken } = this.#options
    for (let after = start; ; ) {
      const read = await readRecords(store, auditNames.log(log), { after, limit: page })
      for (const { seq, value } of read) {
        const record = decodeRecord(value)
        if (record === undefined || !isIntact(record)) onBroken(log, seq)
        else yield { place: { at: record.w, log, seq }, record }
      }
      if (read.length < page) return
      after = read.at(-1)?.seq ?? after
    }
  }

  /** A number before the first record that is wanted, and not long before it. */
  async #startIn(log: string, start: number, after: RecordPlace | undefined): Promise<number> {
    if (after?.log === log) return after.seq
    if (decodeLogName(log)?.hour !== hourOf(start) || start === hourOf(start)) return 0
    let low = 0
    let high = pageRecords
    while (await this.#isBefore(log, high, start)) {
      low = high
      high *= 2
    }
    while (high - low > pageRecords) {
      const middle = Math.floor((low + high) / 2)
      if (await this.#isBefore(log, middle, start)) low = middle
      else high = middle
    }
    return low
  }

  async #isBefore(log: string, seq: number, start: number): Promise<boolean> {
    const [found] = await readRecords(this.#options.store, auditNames.log(log), { after: seq - 1, limit: 1 })
    const record = decodeRecord(found?.value)
    return record !== undefined && record.w < start
  }
}

/** Several logs as one, each of which is in order. */
async function* merged(
  scans: readonly AsyncGenerator<PlacedRecord, void, undefined>[],
): AsyncGenerator<PlacedRecord, void, undefined> {
  const heads = await Promise.all(scans.map(scan => scan.next()))
  for (;;) {
    let first: { readonly index: number; readonly placed: PlacedRecord } | undefined
    for (const [index, { value: placed }] of heads.entries())
      if (placed && (first === undefined || comparePlaces(placed.place, first.placed.place) < 0))
        first = { index, placed }
    if (first === undefined) return
    yield first.placed
    const next = await scans[first.index]?.next()
    if (next !== undefined) heads[first.index] = next
  }
}
