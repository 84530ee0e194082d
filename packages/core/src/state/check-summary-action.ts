import type { Refusal } from '../refusals/refusal.js'
import { actionInvalid, notForClients } from './reasons.js'

/** Why a client may not change a session's title or marks so; undefined when it may. */
export function checkSummaryAction(action: Record<string, unknown>): Refusal | undefined {
  switch (action.type) {
    case 'session/titleChanged':
      return typeof action.title === 'string' ? undefined : actionInvalid('title', 'a string')
    case 'session/isReadChanged':
      return checkMark(action, 'isRead')
    case 'session/isArchivedChanged':
      return checkMark(action, 'isArchived')
    default:
      return notForClients
  }
}

/** Why this cannot say whether something is read or archived; undefined when it can. */
export function checkMark(action: Record<string, unknown>, mark: 'isRead' | 'isArchived'): Refusal | undefined {
  return typeof action[mark] === 'boolean' ? undefined : actionInvalid(mark, 'true or false')
}
