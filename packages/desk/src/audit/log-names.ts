// The audit is in many logs: one for each start of a node and each hour, which that node alone writes. A set has their names by
// the hour.

export const hourMs: number = 60 * 60 * 1000

/** An hour is signed so long after it is over: what was on its way is there by then. */
export const lateMs: number = 2 * 60 * 1000

/** Of which node a log is, and of which hour. */
export interface LogName {
  /** When the hour begins, in milliseconds. */
  readonly hour: number
  readonly node: string
  /** Which one it is of this node and hour: another begins where somebody else wrote to the last. */
  readonly part: number
}

/** Where a record is. They are in the order of when they were written, then of their logs. */
export interface RecordPlace {
  /** When it was written. */
  readonly at: number
  readonly log: string
  readonly seq: number
}

/** The names of what the audit keeps. */
export const auditNames = {
  logs: 'audit/logs',
  log: (member: string): string => `audit/log/${member}`,
  texts: (id: string): string => `audit/texts/${id}`,
  keys: 'audit/keys',
  manifests: 'audit/manifests',
  lease: 'audit/lease',
  /** Nodes that have something to write, by their last sign of life. */
  nodes: 'audit/nodes',
  /** Sessions that a node appends to, and whose entries it may not have written yet, by the time of the first. */
  pending: (node: string, slot: number): string => `audit/pending/${node}/${slot}`,
}

export function hourOf(at: number): number {
  return Math.floor(at / hourMs) * hourMs
}

/** As a member of the set of logs. */
export function encodeLogName({ hour, node, part }: LogName): string {
  return `${hour / hourMs}/${node}/${part}`
}

export function decodeLogName(member: string): LogName | undefined {
  const [, hour, node, part] = /^(\d{1,9})\/([\w-]{1,64})\/(\d{1,6})$/.exec(member) ?? []
  if (hour === undefined || node === undefined || part === undefined) return undefined
  return { hour: Number(hour) * hourMs, node, part: Number(part) }
}

/** For programs that come back for what is next. */
export function encodeCursor({ at, log, seq }: RecordPlace): string {
  return `${at}.${seq}.${log.replaceAll('/', '.')}`
}

/** Undefined for what is not a cursor. */
export function decodeCursor(cursor: string): RecordPlace | undefined {
  const [, at, seq, log] = /^(\d{1,15})\.(\d{1,15})\.(\d{1,9}\.[\w-]{1,64}\.\d{1,6})$/.exec(cursor) ?? []
  if (at === undefined || seq === undefined || log === undefined) return undefined
  return { at: Number(at), seq: Number(seq), log: log.replaceAll('.', '/') }
}

export function comparePlaces(a: RecordPlace, b: RecordPlace): number {
  return a.at - b.at || (a.log < b.log ? -1 : a.log > b.log ? 1 : a.seq - b.seq)
}
