import { type Batcher, createBatcher } from '../batcher.js'
import type { Connection } from '../connection/connection.js'
import { encodeWrites } from './encode.js'
import { contentsOf, type Write } from './write.js'

/** So many batches may be on their way at once. The writes to one name are all in the same lane, so they keep their order. */
const lanes = 2
/** Characters in a batch. */
const fullAt = 4_000_000
/** What a write costs besides its texts. */
const writeWeight = 2_000

/** Writes to the database, many at a time. */
export interface Writes {
  /** Resolves to what the database says: a version, a number, `true` or `false`; null when nothing was written. */
  write(write: Write): Promise<string | null>
  drained(): Promise<void>
}

export function createWrites(connection: Connection, schema: string): Writes {
  const text = `select "${schema}".apply($1, $2, $3, $4, $5, $6, $7) as results`
  const batchers = Array.from({ length: lanes }, () =>
    createBatcher<Write, string | null>({ run, weigh: weightOf, fullAt }),
  )

  async function run(writes: readonly Write[]): Promise<(string | null)[]> {
    const { values, places } = encodeWrites(writes)
    const [row] = await connection.query({ name: `beckon apply ${schema}`, text, values })
    // The function gives an array of texts, one for each write.
    const results = row?.results as (string | null)[]
    return places.map(place => results[place] ?? null)
  }

  return {
    write: write => laneOf(batchers, write.name).add(write),
    async drained() {
      await Promise.all(batchers.map(batcher => batcher.drained()))
    },
  }
}

function laneOf(batchers: readonly Batcher<Write, string | null>[], name: string): Batcher<Write, string | null> {
  let hash = 0
  for (let index = 0; index < name.length; index++) hash = (hash * 31 + name.charCodeAt(index)) | 0
  // The remainder is an index of the list.
  return batchers[Math.abs(hash) % batchers.length] as Batcher<Write, string | null>
}

function weightOf(write: Write): number {
  return contentsOf(write).reduce((sum, text) => sum + text.length, writeWeight)
}
