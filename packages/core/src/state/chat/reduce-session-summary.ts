import { SessionStatus, withActivity, withMark, withStatus } from '../status.js'
import { without } from '../without.js'
import type { SessionSummaryAction } from './actions.js'
import type { InputNeeded, SessionSummary } from './state.js'

/**
 * The session after an action on its own channel, where it mirrors what its chats wait for. The same promises as
 * `reduceChat`; the time is not used, since this state has none.
 */
export function reduceSessionSummary(state: SessionSummary, action: SessionSummaryAction, _at: number): SessionSummary {
  const needed = state.inputNeeded ?? []
  switch (action.type) {
    case 'session/inputNeededSet': {
      const index = needed.findIndex(({ id }) => id === action.request.id)
      return withNeeded(state, index < 0 ? [...needed, action.request] : needed.with(index, action.request))
    }
    case 'session/inputNeededRemoved': {
      const left = needed.filter(({ id }) => id !== action.id)
      return left.length === needed.length ? state : withNeeded(state, left)
    }
    case 'session/titleChanged':
      return action.title === state.title ? state : { ...state, title: action.title }
    case 'session/isReadChanged':
      return withStatus(state, withMark(state.status, SessionStatus.isRead, action.isRead))
    case 'session/isArchivedChanged':
      return withStatus(state, withMark(state.status, SessionStatus.isArchived, action.isArchived))
    default:
      return state
  }
}

function withNeeded(state: SessionSummary, inputNeeded: InputNeeded[]): SessionSummary {
  // Work handed to a client is under way; nobody is asked for anything.
  const asksPerson = inputNeeded.some(({ kind }) => kind !== 'toolClientExecution')
  const status = asksPerson
    ? withActivity(state.status, SessionStatus.inputNeeded)
    : withMark(state.status, SessionStatus.inputNeeded & ~SessionStatus.inProgress, false)
  return inputNeeded.length > 0 ? { ...state, inputNeeded, status } : without({ ...state, status }, 'inputNeeded')
}
