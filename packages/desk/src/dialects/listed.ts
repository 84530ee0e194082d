// Sessions as lists show them.

import { channelsOf, type Dialect, dialectTraits, type ListedChanges, type ListedSession } from '@beckon/core/live'
import type { Session } from '../model/session.js'
import { iso, listedStatus, modifiedIn } from './states.js'

/** A session as a dialect's list has it. */
export function encodeListed(session: Session, dialect: Dialect): ListedSession {
  const { id, server, createdAt } = session
  const fixed = { resource: channelsOf(id).session, provider: server, createdAt: timeIn(dialect, createdAt) }
  return { ...fixed, ...encodeListedChanges(session, dialect) }
}

export function encodeListedChanges(session: Session, dialect: Dialect): ListedChanges {
  const { title } = session
  // Where there are chats, a session was modified when its chat was.
  const modifiedAt = dialectTraits[dialect].hasChats ? modifiedIn(session, dialect) : session.modifiedAt
  return { title, status: listedStatus(session), modifiedAt: timeIn(dialect, modifiedAt) }
}

function timeIn(dialect: Dialect, at: number): number | string {
  return dialectTraits[dialect].hasChats ? iso(at) : at
}
