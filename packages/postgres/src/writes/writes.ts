import { createBatcher } from '../batcher.js'
import { doubleArray, integerArray, textArray } from '../binary-array.js'
import type { Connection } from '../connection/connection.js'
import { checkSync, isSync } from '../connection/synchronous.js'
import { encodeWrites } from './encode.js'
import { areaOf, contentsOf, type Write } from './write.js'

/** Characters in a batch. */
const fullAt = 4_000_000
/** What a write costs besides its texts. */
const writeWeight = 2_000

/**
 * While some batches are written to disk, the next is run, and another is on its way. With two, a process that has a core waits for a
 * fifth of its time; with more than four, batches are smaller and nothing is gained.
 */
const atOnce = 4

/** Writes to the database, many at a time. */
export interface Writes {
  /** Resolves to what the database says: a version, a number, `true` or `false`; null when nothing was written. */
  write(write: Write): Promise<string | null>
  drained(): Promise<void>
}

export interface WritesOptions {
  /** Whether a write that is not replicated synchronously counts as none. */
  readonly requireSync: boolean
}

export function createWrites(connection: Connection, schema: string, { requireSync }: WritesOptions): Writes {
  const text = `select "${schema}".apply($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) as results${requireSync ? `, ${isSync}` : ''}`
  const batcher = createBatcher<Write, string | null>({ run, weigh: weightOf, fullAt, atOnce, targetsOf })

  async function run(writes: readonly Write[]): Promise<(string | null)[]> {
    const { values: encoded, places } = encodeWrites(writes)
    const [kinds, names, expected, expiries, counts, contents, scores, required, ...together] = encoded
    const [logsFrom, logsTo, setsFrom, owners, nths] = together
    const values = [
      textArray(kinds),
      textArray(names),
      textArray(expected),
      doubleArray(expiries),
      integerArray(counts),
      textArray(contents),
      doubleArray(scores),
      integerArray(required),
      logsFrom,
      logsTo,
      setsFrom,
      integerArray(owners),
      integerArray(nths),
    ]
    const [row] = await connection.query({ name: `beckon apply ${schema}`, text, values })
    if (requireSync) checkSync(row)
    // The function gives an array of texts, one for each write.
    const results = row?.results as (string | null)[]
    return places.map(place => results[place] ?? null)
  }

  return {
    write: write => batcher.add(write),
    drained: () => batcher.drained(),
  }
}

/** The rows that a write changes. */
function targetsOf(write: Write): readonly string[] {
  const own = targetOf(write)
  return write.kind === 'append' && write.names.length > 0 ? [own, ...write.names.map(targetOf)] : [own]
}

function targetOf(write: Write): string {
  const row = `${areaOf(write)} ${write.name}`
  return 'member' in write ? `${row} ${write.member}` : row
}

function weightOf(write: Write): number {
  const own = contentsOf(write).reduce((sum, text) => sum + text.length, writeWeight)
  return write.kind === 'append' ? own + write.names.length * writeWeight : own
}
