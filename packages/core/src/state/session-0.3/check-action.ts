import { isRecord } from '../../forms/json-schema.js'
import { checkAnswerChanged, checkCompleted } from '../check-request-action.js'
import { checkSummaryAction } from '../check-summary-action.js'
import { checkTruncated, checkTurnCancelled, checkTurnStarted } from '../check-turn-action.js'
import { NOT_AN_ACTION, NOT_OPEN } from '../reasons.js'
import type { InputRequest } from '../request.js'
import type { SessionState } from './state.js'

/**
 * Why a client's action must be rejected, in words for a person and never with the answer in them; undefined when it is
 * acceptable. `action` is what the client sent, whatever that is.
 */
export function checkAction(state: SessionState, action: unknown): string | undefined {
  if (!isRecord(action)) return NOT_AN_ACTION
  switch (action.type) {
    case 'session/turnStarted':
      return checkTurnStarted(state, action)
    case 'session/turnCancelled':
      return checkTurnCancelled(state, action)
    case 'session/truncated':
      return checkTruncated(state, action)
    case 'session/inputAnswerChanged': {
      const request = openRequest(state, action.requestId)
      return request ? checkAnswerChanged(request, action) : NOT_OPEN
    }
    case 'session/inputCompleted': {
      const request = openRequest(state, action.requestId)
      return request ? checkCompleted(request, action) : NOT_OPEN
    }
    default:
      return checkSummaryAction(action)
  }
}

function openRequest(state: SessionState, requestId: unknown): InputRequest | undefined {
  return state.inputRequests?.find(({ id }) => id === requestId)
}
