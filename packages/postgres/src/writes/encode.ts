import { areaOf, contentsOf, type SetWrite, type Write } from './write.js'

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
  const all = writes.flatMap((write, index): Item[] => [
    { write, index, isOwn: true },
    ...namesOf(write).map(name => ({ write: name, index, isOwn: false })),
  ])
  const isExpiring = ({ write }: Item) => write.kind === 'put' && write.expiresAt !== undefined
  const expiring = new Set(all.filter(isExpiring).map(({ write }) => rowOf(write)))
  const sorted = all
    .map((item, order) => ({ ...item, order, row: rowOf(item.write), member: memberOf(item.write, expiring) }))
    .sort((a, b) => compare(a.row, b.row) || compare(a.member, b.member) || a.order - b.order)
  const places: number[] = []
  for (const [place, { index, isOwn }] of sorted.entries()) if (isOwn) places[index] = place
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
      // Logs stand before sets: by then it is known whether the append took place. Arrays begin with 1 there.
      sorted.map(({ index, isOwn }) => (isOwn ? null : (places[index] ?? 0) + 1)),
    ],
    places,
  }
}

/** A write, and which of those that were asked for it belongs to: one of the names of an append is not its own. */
interface Item {
  readonly write: Write
  readonly index: number
  readonly isOwn: boolean
}

function namesOf(write: Write): readonly SetWrite[] {
  return write.kind === 'append' ? write.names : []
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
