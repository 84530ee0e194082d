// Sessions as lists show them. What a list says of a session is the same for everyone: that it waits for someone is no
// secret, what it waits for is.
import { SessionStatus } from '@beckon/core/chat'
import type { Dialect } from '../asks/gate.js'
import type { SessionRecord } from '../state/session-record.js'

/** What can change about a session in a list. */
export interface Entry {
  readonly title: string
  readonly status: number
  /** Milliseconds. */
  readonly modifiedAt: number
}

const marks = SessionStatus.isRead | SessionStatus.isArchived

/** What the session does comes from its chat, and the marks are its own. */
export function entryOf({ bare: { older, chat, summary }, title }: SessionRecord): Entry {
  return { title, status: (chat.status & ~marks) | (summary.status & marks), modifiedAt: older.summary.modifiedAt }
}

/** A session as a dialect's list has it. */
export function encodeSummary(record: SessionRecord, dialect: Dialect): object {
  const { resource, createdAt } = record.bare.older.summary
  const fixed = { resource, provider: record.server, createdAt: timeIn(dialect, createdAt) }
  return { ...fixed, ...encodeChanges(entryOf(record), dialect) }
}

export function encodeChanges(entry: Entry, dialect: Dialect): object {
  return { ...entry, modifiedAt: timeIn(dialect, entry.modifiedAt) }
}

function timeIn(dialect: Dialect, at: number): number | string {
  return dialect === 'older' ? at : new Date(at).toISOString()
}
