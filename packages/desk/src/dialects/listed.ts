// Sessions as lists show them.
import type { Session } from '../model/session.js'
import { channelsOf, type Dialect } from './channels.js'
import { iso, listedStatus } from './states.js'

/** What can change about a session in a list. */
export interface ListedChanges {
  readonly title: string
  readonly status: number
  readonly modifiedAt: number | string
}

/** A session as a dialect's list has it. */
export function encodeListed(session: Session, dialect: Dialect): object {
  const { id, server, createdAt } = session
  const fixed = { resource: channelsOf(id).session, provider: server, createdAt: timeIn(dialect, createdAt) }
  return { ...fixed, ...encodeListedChanges(session, dialect) }
}

export function encodeListedChanges(session: Session, dialect: Dialect): ListedChanges {
  const { title, modifiedAt } = session
  return { title, status: listedStatus(session), modifiedAt: timeIn(dialect, modifiedAt) }
}

function timeIn(dialect: Dialect, at: number): number | string {
  return dialect === 'older' ? at : iso(at)
}
