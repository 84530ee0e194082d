import { areaOf, contentsOf, type Write } from './write.js'

/** Writes as the arguments of `apply`. */
export interface EncodedWrites {
  readonly values: unknown[]
  /** Where the result of each write is. */
  readonly places: readonly number[]
}

/**
 * Puts the writes in the order of their rows. Every node does the same, so of two batches that touch the same rows one
 * waits for the other, and never both. Writes to one row stay in the order that they came in.
 */
export function encodeWrites(writes: readonly Write[]): EncodedWrites {
  const expiring = new Set(writes.filter(write => write.kind === 'put' && write.expiresAt !== undefined).map(rowOf))
  const sorted = writes
    .map((write, index) => ({ write, index, row: rowOf(write), member: memberOf(write, expiring) }))
    .sort((a, b) => compare(a.row, b.row) || compare(a.member, b.member) || a.index - b.index)
  const places: number[] = []
  for (const [place, { index }] of sorted.entries()) places[index] = place
  const ordered = sorted.map(({ write }) => write)
  const contents = ordered.map(contentsOf)
  return {
    values: [
      ordered.map(write => write.kind),
      ordered.map(write => write.name),
      ordered.map(expectedOf),
      ordered.map(write => ('expiresAt' in write ? (write.expiresAt ?? null) : null)),
      contents.map(texts => texts.length),
      contents.flat(),
      ordered.map(write => (write.kind === 'put' ? write.score : null)),
    ],
    places,
  }
}

function rowOf(write: Write): string {
  return `${areaOf(write)} ${write.name}`
}

/** What is put with an expiry holds the whole set, and may empty it: then the order of calls is the order of all members. */
function memberOf(write: Write, expiring: ReadonlySet<string>): string {
  return 'member' in write && !expiring.has(rowOf(write)) ? write.member : ''
}

function expectedOf(write: Write): string | number | null {
  if (write.kind === 'trim') return write.upTo
  return 'expected' in write ? (write.expected ?? null) : null
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
