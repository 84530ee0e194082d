import type { Entry, LogEntry, SetMember } from 'beckon/store'
import type { SetSpan } from 'beckon/store/adapter'
import { createBatcher } from '../batcher.js'
import { bigintArray, booleanArray, doubleArray, textArray } from '../binary-array.js'
import type { Check, Connection } from '../connection/connection.js'
import { confirmAbsence } from '../connection/synchronous.js'

/** Which part of which log. */
interface LogPart {
  readonly name: string
  readonly after: number
  readonly limit: number | undefined
}

/** Which part of which set. */
interface SetPart {
  readonly name: string
  readonly span: SetSpan
}

/** Which set is counted, and up to where. */
interface SetCount {
  readonly name: string
  readonly upTo: number
}

/** Reads from the database, many at a time. */
export interface Reads {
  get(name: string): Promise<Entry | undefined>
  read(part: LogPart): Promise<LogEntry[]>
  range(part: SetPart): Promise<SetMember[]>
  count(count: SetCount): Promise<number>
  drained(): Promise<void>
}

const fullAt = 500

export interface ReadsOptions {
  /** Whether only a primary that replicates synchronously may say that something is absent. */
  readonly requireSync: boolean
}

export function createReads(connection: Connection, schema: string, { requireSync }: ReadsOptions): Reads {
  const gets = createBatcher<string, Entry | undefined>({ run: getAll, fullAt })
  const parts = createBatcher<LogPart, LogEntry[]>({ run: readAll, fullAt })
  const ranges = createBatcher<SetPart, SetMember[]>({ run: rangeAll, fullAt })
  const counts = createBatcher<SetCount, number>({ run: countAll, fullAt })

  /** Where one of so many is not among the rows. */
  function absenceOf(wanted: number): Check | undefined {
    if (!requireSync) return undefined
    return async (rows, ask) => {
      if (new Set(rows.map(({ place }) => `${place}`)).size < wanted) await confirmAbsence(rows, ask)
    }
  }

  async function getAll(names: readonly string[]): Promise<(Entry | undefined)[]> {
    const query = {
      name: `beckon get ${schema}`,
      text: `select * from "${schema}".get($1)`,
      values: [textArray(names)],
    }
    const rows = await connection.query(query, absenceOf(names.length))
    const entries: (Entry | undefined)[] = names.map(() => undefined)
    for (const { place, value, version } of rows) {
      entries[Number(place) - 1] = { value: JSON.parse(`${value}`), version: `${version}` }
    }
    return entries
  }

  async function readAll(wanted: readonly LogPart[]): Promise<LogEntry[][]> {
    const query = {
      name: `beckon read ${schema}`,
      text: `select * from "${schema}".read($1, $2, $3)`,
      values: [
        textArray(wanted.map(part => part.name)),
        bigintArray(wanted.map(part => part.after)),
        bigintArray(wanted.map(part => part.limit ?? null)),
      ],
    }
    const rows = await connection.query(query, absenceOf(wanted.length))
    const entries: LogEntry[][] = wanted.map(() => [])
    for (const { place, seq, value } of rows) {
      entries[Number(place) - 1]?.push({ seq: Number(seq), value: JSON.parse(`${value}`) })
    }
    return entries
  }

  async function rangeAll(wanted: readonly SetPart[]): Promise<SetMember[][]> {
    const spans = wanted.map(part => part.span)
    const rows = await connection.query({
      name: `beckon range ${schema}`,
      text: `select * from "${schema}".range($1, $2, $3, $4, $5, $6)`,
      values: [
        textArray(wanted.map(part => part.name)),
        doubleArray(spans.map(span => span.after.score)),
        textArray(spans.map(span => span.after.member)),
        doubleArray(spans.map(span => span.to)),
        booleanArray(spans.map(span => span.reverse)),
        bigintArray(spans.map(span => span.limit)),
      ],
    })
    const members: SetMember[][] = wanted.map(() => [])
    for (const { place, member, score } of rows) {
      members[Number(place) - 1]?.push({ member: `${member}`, score: Number(score) })
    }
    return members
  }

  async function countAll(wanted: readonly SetCount[]): Promise<number[]> {
    const rows = await connection.query({
      name: `beckon count ${schema}`,
      text: `select * from "${schema}".count_members($1, $2)`,
      values: [textArray(wanted.map(count => count.name)), bigintArray(wanted.map(count => count.upTo))],
    })
    const members = wanted.map(() => 0)
    for (const row of rows) members[Number(row.place) - 1] = Number(row.members)
    return members
  }

  return {
    get: name => gets.add(name),
    read: part => parts.add(part),
    range: part => ranges.add(part),
    count: count => counts.add(count),
    async drained() {
      await Promise.all([gets.drained(), parts.drained(), ranges.drained(), counts.drained()])
    },
  }
}
