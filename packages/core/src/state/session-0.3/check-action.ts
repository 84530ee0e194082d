import { isRecord } from '../../collections/record.js'
import type { Refusal } from '../../refusals/refusal.js'
import { checkAnswerChanged, checkCompleted } from '../check-request-action.js'
import { checkSummaryAction } from '../check-summary-action.js'
import { checkTruncated, checkTurnCancelled, checkTurnStarted } from '../check-turn-action.js'
import { notAnAction, notOpen } from '../reasons.js'
import type { InputRequest } from '../request.js'
import type { SessionState } from './state.js'

/**
 * Why a client's action must be rejected, never with the answer in it; undefined when it is acceptable. `action` is what the client sent, whatever that is.
 */
export function checkAction(state: SessionState, action: unknown): Refusal | undefined {
  if (!isRecord(action)) return notAnAction
  switch (action.type) {
    case 'session/turnStarted':
      return checkTurnStarted(state, action)
    case 'session/turnCancelled':
      return checkTurnCancelled(state, action)
    case 'session/truncated':
      return checkTruncated(state, action)
    case 'session/inputAnswerChanged': {
      const request = openRequest(state, action.requestId)
      return request ? checkAnswerChanged(request, action) : notOpen
    }
    case 'session/inputCompleted': {
      const request = openRequest(state, action.requestId)
      return request ? checkCompleted(request, action) : notOpen
    }
    default:
      return checkSummaryAction(action)
  }
}

function openRequest(state: SessionState, requestId: unknown): InputRequest | undefined {
  return state.inputRequests?.find(({ id }) => id === requestId)
}
