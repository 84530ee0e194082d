import { NOT_FOR_CLIENTS } from './reasons.js'

/** Why a client may not change a session's title or marks so; undefined when it may. */
export function checkSummaryAction(action: Record<string, unknown>): string | undefined {
  switch (action.type) {
    case 'session/titleChanged':
      return typeof action.title === 'string' ? undefined : 'A title must be a text.'
    case 'session/isReadChanged':
      return checkMark(action.isRead)
    case 'session/isArchivedChanged':
      return checkMark(action.isArchived)
    default:
      return NOT_FOR_CLIENTS
  }
}

/** Why this cannot say whether something is read or archived; undefined when it can. */
export function checkMark(mark: unknown): string | undefined {
  return typeof mark === 'boolean' ? undefined : 'A mark must be true or false.'
}
