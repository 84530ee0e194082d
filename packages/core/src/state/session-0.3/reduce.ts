import { without } from '../../collections/record.js'
import { replaceRequest, withAnswer } from '../answers.js'
import { activityOf, reduceResponse } from '../reduce-response.js'
import { endTurn, startTurn, truncateTurns } from '../reduce-turns.js'
import type { InputRequest } from '../request.js'
import { SessionStatus, withActivity, withMark, withStatus } from '../status.js'
import type { SessionAction } from './actions.js'
import type { SessionState } from './state.js'

/**
 * The session after an action. Never validates (that is `checkAction`), never changes its arguments, and gives back the
 * same object when nothing changed, as for actions of a later version.
 * @param at milliseconds; becomes `summary.modifiedAt`
 */
export function reduceSession(state: SessionState, action: SessionAction, at: number): SessionState {
  const { summary } = state
  const requests = state.inputRequests ?? []
  switch (action.type) {
    case 'session/turnStarted':
      return unread(settle(startTurn(state, action), at))
    case 'session/turnComplete':
      return abandon(state, endTurn(state, action.turnId, { state: 'complete' }), at)
    case 'session/turnCancelled':
      return abandon(state, endTurn(state, action.turnId, { state: 'cancelled' }), at)
    case 'session/error': {
      const ended = endTurn(state, action.turnId, { state: 'error', error: action.error })
      return abandon(state, ended, at, SessionStatus.error)
    }
    case 'session/truncated':
      return abandon(state, truncateTurns(state, action.turnId), at)

    case 'session/inputRequested': {
      const { request } = action
      const index = requests.findIndex(({ id }) => id === request.id)
      const current = requests[index]
      const next = current ? requests.with(index, replaceRequest(current, request)) : [...requests, request]
      return unread(settle(withRequests(state, next), at))
    }
    case 'session/inputAnswerChanged': {
      const index = requests.findIndex(({ id }) => id === action.requestId)
      const current = requests[index]
      if (!current) return state
      const next = requests.with(index, withAnswer(current, action.questionId, action.answer))
      return { ...withRequests(state, next), summary: { ...summary, modifiedAt: at } }
    }
    case 'session/inputCompleted': {
      const open = requests.filter(({ id }) => id !== action.requestId)
      return open.length === requests.length ? state : settle(withRequests(state, open), at)
    }

    case 'session/ready':
      return state.lifecycle === 'ready' ? state : { ...state, lifecycle: 'ready' }
    case 'session/creationFailed':
      return { ...state, lifecycle: 'failed', creationError: action.error }
    case 'session/titleChanged':
      return { ...state, summary: { ...summary, title: action.title, modifiedAt: at } }
    case 'session/isReadChanged':
      return withSummaryStatus(state, withMark(summary.status, SessionStatus.isRead, action.isRead))
    case 'session/isArchivedChanged':
      return withSummaryStatus(state, withMark(summary.status, SessionStatus.isArchived, action.isArchived))

    default: {
      const activeTurn = reduceResponse(state.activeTurn, action)
      if (!activeTurn || activeTurn === state.activeTurn) return state
      const next = { ...state, activeTurn }
      return withSummaryStatus(next, withActivity(summary.status, activityIn(next)))
    }
  }
}

/** What happens to open requests when their turn ends. */
function abandon(before: SessionState, after: SessionState, at: number, activity?: number): SessionState {
  return after === before ? before : settle(withRequests(after, []), at, activity)
}

function withRequests(state: SessionState, inputRequests: InputRequest[]): SessionState {
  return inputRequests.length > 0 ? { ...state, inputRequests } : without(state, 'inputRequests')
}

function settle(state: SessionState, at: number, activity: number = activityIn(state)): SessionState {
  const status = withActivity(state.summary.status, activity)
  return { ...state, summary: { ...state.summary, status, modifiedAt: at } }
}

function activityIn({ inputRequests, activeTurn }: SessionState): number {
  return inputRequests?.length ? SessionStatus.inputNeeded : activityOf(activeTurn)
}

function unread(state: SessionState): SessionState {
  return withSummaryStatus(state, withMark(state.summary.status, SessionStatus.isRead, false))
}

function withSummaryStatus(state: SessionState, status: number): SessionState {
  const summary = withStatus(state.summary, status)
  return summary === state.summary ? state : { ...state, summary }
}
