import { areaOf, contentsOf, type Write } from './write.js'

/** Writes as the arguments of `apply`. */
export interface EncodedWrites {
  readonly values: readonly [
    kinds: readonly string[],
    names: readonly string[],
    expected: readonly (string | number | null)[],
    expiries: readonly (number | null)[],
    counts: readonly number[],
    contents: readonly string[],
    scores: readonly (number | null)[],
    required: readonly (number | null)[],
    logsFrom: number | null,
    logsTo: number | null,
    setsFrom: number | null,
    owners: readonly number[],
    nths: readonly number[],
  ]
  /** Where the result of each write is. */
  readonly places: readonly number[]
}

/**
 * Puts the writes in the order of their rows. Every node does the same, so of two batches that touch the same rows one
 * waits for the other, and hardly ever both. Writes to one row stay in the order that they came in.
 */
export function encodeWrites(writes: readonly Write[]): EncodedWrites {
  const items = itemsOf(writes)
  items.sort((a, b) => compare(a.row, b.row) || compare(a.member, b.member) || a.order - b.order)
  const places: number[] = new Array(writes.length)
  for (const [place, { index, isOwn }] of items.entries()) if (isOwn) places[index] = place
  const contents: string[] = []
  const counts: number[] = []
  for (const { write } of items) {
    const before = contents.length
    for (const text of contentsOf(write)) contents.push(text)
    counts.push(contents.length - before)
  }
  const firstLog = items.findIndex(({ write }) => areaOf(write) !== 'key')
  const firstSet = items.findIndex(({ write }) => areaOf(write) === 'set')
  const logsEnd = firstSet < 0 ? items.length : firstSet
  const appendsAll = firstLog >= 0 && firstLog < logsEnd && canAppendAll(items.slice(firstLog, logsEnd))
  const owners: number[] = []
  const nths: number[] = []
  if (appendsAll)
    for (const [index, count] of counts.slice(firstLog, logsEnd).entries())
      for (let nth = 1; nth <= count; nth++) {
        owners.push(index + 1)
        nths.push(nth)
      }
  return {
    values: [
      items.map(({ write }) => write.kind),
      items.map(({ write }) => write.name),
      items.map(({ write }) => expectedOf(write)),
      items.map(({ write }) => ('expiresAt' in write ? (write.expiresAt ?? null) : null)),
      counts,
      contents,
      items.map(({ write }) => (write.kind === 'put' ? write.score : null)),
      // Logs stand before sets: by then it is known whether the append took place. Arrays begin with 1 there.
      items.map(({ index, isOwn }) => (isOwn ? null : (places[index] ?? 0) + 1)),
      appendsAll ? firstLog + 1 : null,
      appendsAll ? logsEnd : null,
      firstSet >= 0 && canChangeAll(items.slice(firstSet)) ? firstSet + 1 : null,
      owners,
      nths,
    ],
    places,
  }
}

/** A write, and which of those that were asked for it belongs to: one of the names of an append is not its own. */
interface Item {
  readonly write: Write
  readonly index: number
  readonly isOwn: boolean
  readonly row: string
  member: string
  readonly order: number
}

function itemsOf(writes: readonly Write[]): Item[] {
  const items: Item[] = []
  /** Sets that a write gives an expiry. */
  const expiring = new Set<string>()
  const add = (write: Write, index: number, isOwn: boolean): void => {
    const row = `${areaOf(write)} ${write.name}`
    if (write.kind === 'put' && write.expiresAt !== undefined) expiring.add(row)
    items.push({ write, index, isOwn, row, member: 'member' in write ? write.member : '', order: items.length })
  }
  for (const [index, write] of writes.entries()) {
    add(write, index, true)
    if (write.kind === 'append') for (const name of write.names) add(name, index, false)
  }
  // What is put with an expiry holds the whole set, and may empty it: then the order of calls is the order of all members.
  if (expiring.size > 0) for (const item of items) if (expiring.has(item.row)) item.member = ''
  return items
}

/** Whether all are appends of something, each to a log of its own and after a known number. */
function canAppendAll(logs: readonly Item[]): boolean {
  return logs.every(
    ({ write, row }, at) =>
      write.kind === 'append' && write.expected !== undefined && write.values.length > 0 && row !== logs[at - 1]?.row,
  )
}

/** Whether all are removals, and puts that expect nothing and give no expiry, each of a member of its own. */
function canChangeAll(members: readonly Item[]): boolean {
  return members.every(({ write, row, member }, at) => {
    const isPlain =
      write.kind === 'remove' || (write.kind === 'put' && write.expected === undefined && write.expiresAt === undefined)
    const before = members[at - 1]
    return isPlain && (row !== before?.row || member !== before.member)
  })
}

function expectedOf(write: Write): string | number | null {
  if (write.kind === 'trim') return write.upTo
  return 'expected' in write ? (write.expected ?? null) : null
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
