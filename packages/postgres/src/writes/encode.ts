import { contentsOf, type Write } from './write.js'

/** Writes as the arguments of `apply`. */
export interface EncodedWrites {
  readonly values: unknown[]
  /** Where the result of each write is. */
  readonly places: readonly number[]
}

/**
 * Puts the writes in the order of their names. Every node does the same, so of two batches that touch the same rows one
 * waits for the other, and never both. Writes to one name stay in the order that they came in.
 */
export function encodeWrites(writes: readonly Write[]): EncodedWrites {
  const sorted = writes
    .map((write, index) => ({ write, index, row: `${isOfLog(write) ? 'log' : 'key'} ${write.name}` }))
    .sort((a, b) => (a.row === b.row ? a.index - b.index : a.row < b.row ? -1 : 1))
  const places: number[] = []
  for (const [place, { index }] of sorted.entries()) places[index] = place
  const ordered = sorted.map(({ write }) => write)
  const contents = ordered.map(contentsOf)
  return {
    values: [
      ordered.map(write => write.kind),
      ordered.map(write => write.name),
      ordered.map(write => ('expected' in write ? (write.expected ?? null) : null)),
      ordered.map(write => ('expiresAt' in write ? (write.expiresAt ?? null) : null)),
      contents.map(texts => texts.length),
      contents.flat(),
    ],
    places,
  }
}

function isOfLog(write: Write): boolean {
  return write.kind === 'append' || write.kind === 'erase'
}
