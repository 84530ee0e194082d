import { isRecord } from '../../collections/record.js'
import type { Refusal } from '../../refusals/refusal.js'
import { checkAnswerChanged, checkCompleted } from '../check-request-action.js'
import { checkMark, checkSummaryAction } from '../check-summary-action.js'
import { checkTruncated, checkTurnCancelled, checkTurnStarted } from '../check-turn-action.js'
import { askEnded, notAnAction, notForClients, notOpen } from '../reasons.js'
import type { InputRequest } from '../request.js'
import type { ActiveTurn, InputRequestPart } from '../turn.js'
import type { ChatState, SessionSummary } from './state.js'

type Fields = Record<string, unknown>

/**
 * Why a client's action must be rejected, never with the answer in it; undefined when it is acceptable. `state` is that of the channel the action came on; `action` is what the client sent, whatever that is.
 */
export function checkAction(state: ChatState | SessionSummary, action: unknown): Refusal | undefined {
  if (!isRecord(action)) return notAnAction
  return 'turns' in state ? checkOnChat(state, action) : checkSummaryAction(action)
}

function checkOnChat(state: ChatState, action: Fields): Refusal | undefined {
  switch (action.type) {
    case 'chat/turnStarted':
      return checkTurnStarted(state, action)
    case 'chat/turnCancelled':
      return checkTurnCancelled(state, action)
    case 'chat/truncated':
      return checkTruncated(state, action)
    case 'chat/inputAnswerChanged':
      return checkOpen(state, action, checkAnswerChanged)
    case 'chat/inputCompleted':
      return checkOpen(state, action, checkCompleted)
    case 'chat/isReadChanged':
      return checkMark(action, 'isRead')
    case 'chat/isArchivedChanged':
      return checkMark(action, 'isArchived')
    default:
      return notForClients
  }
}

function checkOpen(
  { activeTurn, turns }: ChatState,
  action: Fields,
  check: (request: InputRequest, action: Fields) => Refusal | undefined,
): Refusal | undefined {
  const parts = activeTurn ? partsOf(activeTurn, action.requestId) : []
  const open = parts.find(({ response }) => !response)
  if (open) return check(open.request, action)
  const closed = parts.length > 0 || turns.some(turn => partsOf(turn, action.requestId).length > 0)
  return closed ? askEnded : notOpen
}

function partsOf({ responseParts }: ActiveTurn, requestId: unknown): InputRequestPart[] {
  return responseParts.filter(
    (part): part is InputRequestPart => part.kind === 'inputRequest' && part.request.id === requestId,
  )
}
