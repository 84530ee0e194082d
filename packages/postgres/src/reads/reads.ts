import type { Entry, LogEntry } from 'beckon/store'
import { createBatcher } from '../batcher.js'
import type { Connection } from '../connection/connection.js'

/** Which part of which log. */
interface LogPart {
  readonly name: string
  readonly after: number
  readonly limit: number | undefined
}

/** Reads from the database, many at a time. */
export interface Reads {
  get(name: string): Promise<Entry | undefined>
  read(part: LogPart): Promise<LogEntry[]>
  drained(): Promise<void>
}

const fullAt = 500

export function createReads(connection: Connection, schema: string): Reads {
  const gets = createBatcher<string, Entry | undefined>({ run: getAll, fullAt })
  const parts = createBatcher<LogPart, LogEntry[]>({ run: readAll, fullAt })

  async function getAll(names: readonly string[]): Promise<(Entry | undefined)[]> {
    const rows = await connection.query({
      name: `beckon get ${schema}`,
      text: `select * from "${schema}".get($1)`,
      values: [names],
    })
    const entries: (Entry | undefined)[] = names.map(() => undefined)
    for (const { place, value, version } of rows) {
      entries[Number(place) - 1] = { value: JSON.parse(`${value}`), version: `${version}` }
    }
    return entries
  }

  async function readAll(wanted: readonly LogPart[]): Promise<LogEntry[][]> {
    const rows = await connection.query({
      name: `beckon read ${schema}`,
      text: `select * from "${schema}".read($1, $2, $3)`,
      values: [wanted.map(part => part.name), wanted.map(part => part.after), wanted.map(part => part.limit ?? null)],
    })
    const entries: LogEntry[][] = wanted.map(() => [])
    for (const { place, seq, value } of rows) {
      entries[Number(place) - 1]?.push({ seq: Number(seq), value: JSON.parse(`${value}`) })
    }
    return entries
  }

  return {
    get: name => gets.add(name),
    read: part => parts.add(part),
    async drained() {
      await Promise.all([gets.drained(), parts.drained()])
    },
  }
}
