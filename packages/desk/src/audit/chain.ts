// A log of the audit is a chain: each record has its number, the hash of the one before it, and its own. A record that was
// changed does not fit its hash; one that was moved, doubled or put in, or that follows one that was deleted, does not fit its
// place. The first one follows the name of the log. Who can write the whole log anew can chain it anew: manifests are for that.
import { hash } from 'node:crypto'
import type { JsonValue } from 'beckon/store'
import type { AuditEntry } from './entry.js'

/** A record as it is stored. */
export interface ChainRecord {
  readonly v: 1
  /** Its number in its log. */
  readonly n: number
  /** The hash of the record before it. */
  readonly p: string
  /** When it was written, in milliseconds; never less than that of the one before it. */
  readonly w: number
  readonly e: AuditEntry
  /** Where the words are that its entry has the digest of. */
  readonly t?: string
  /** Its hash, over everything else. */
  readonly h: string
}

/** The last record of a log, as what comes next depends on it. */
export interface ChainHead {
  readonly n: number
  readonly h: string
}

/** What is wrong with a record. */
export type ChainFault = 'unreadable' | 'changed' | 'misplaced'

export function beginningOf(log: string): ChainHead {
  return { n: 0, h: hashOf(['log', log]) }
}

export function chained(head: ChainHead, { e, w, t }: Pick<ChainRecord, 'e' | 'w' | 't'>): ChainRecord {
  const record = { v: 1 as const, n: head.n + 1, p: head.h, w, e, ...(t !== undefined && { t }) }
  return { ...record, h: hashOfRecord(record) }
}

/** A record from a store; undefined for what nobody can have written there as one. */
export function decodeRecord(value: JsonValue | undefined): ChainRecord | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { v, n, p, w, e, t, h } = value
  const isRecord = v === 1 && typeof n === 'number' && typeof p === 'string' && typeof h === 'string'
  if (!isRecord || typeof w !== 'number' || !Number.isSafeInteger(w) || !isEntry(e)) return undefined
  if (t !== undefined && typeof t !== 'string') return undefined
  // All of it was looked at above.
  return value as unknown as ChainRecord
}

/** What is wrong with a record that stands behind another; undefined when nothing is. */
export function faultOf(record: ChainRecord, before: ChainHead): ChainFault | undefined {
  if (hashOfRecord(record) !== record.h) return 'changed'
  return record.n === before.n + 1 && record.p === before.h ? undefined : 'misplaced'
}

/** Whether a record is what was written, wherever that was. */
export function isIntact(record: ChainRecord): boolean {
  return hashOfRecord(record) === record.h
}

export function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url')
}

function hashOfRecord({ v, n, p, w, e, t }: Omit<ChainRecord, 'h'>): string {
  return hashOf([v, n, p, w, e, t ?? null])
}

/** Enough to read it by. */
function isEntry(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { id, event, at, session } = value
  return [id, event, session].every(text => typeof text === 'string') && typeof at === 'number'
}
