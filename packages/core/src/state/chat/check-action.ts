import { isRecord } from '../../forms/json-schema.js'
import { checkAnswerChanged, checkCompleted } from '../check-request-action.js'
import { checkMark, checkSummaryAction } from '../check-summary-action.js'
import { checkTruncated, checkTurnCancelled, checkTurnStarted } from '../check-turn-action.js'
import { NOT_AN_ACTION, NOT_FOR_CLIENTS, NOT_OPEN } from '../reasons.js'
import type { InputRequest } from '../request.js'
import type { ActiveTurn, InputRequestPart } from '../turn.js'
import type { ChatState, SessionSummary } from './state.js'

type Fields = Record<string, unknown>

/**
 * Why a client's action must be rejected, in words for a person and never with the answer in them; undefined when it is
 * acceptable. `state` is that of the channel the action came on; `action` is what the client sent, whatever that is.
 */
export function checkAction(state: ChatState | SessionSummary, action: unknown): string | undefined {
  if (!isRecord(action)) return NOT_AN_ACTION
  return 'turns' in state ? checkOnChat(state, action) : checkSummaryAction(action)
}

function checkOnChat(state: ChatState, action: Fields): string | undefined {
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
      return checkMark(action.isRead)
    case 'chat/isArchivedChanged':
      return checkMark(action.isArchived)
    default:
      return NOT_FOR_CLIENTS
  }
}

function checkOpen(
  { activeTurn, turns }: ChatState,
  action: Fields,
  check: (request: InputRequest, action: Fields) => string | undefined,
): string | undefined {
  const parts = activeTurn ? partsOf(activeTurn, action.requestId) : []
  const open = parts.find(({ response }) => !response)
  if (open) return check(open.request, action)
  const closed = parts.length > 0 || turns.some(turn => partsOf(turn, action.requestId).length > 0)
  return closed ? 'This request is no longer open.' : NOT_OPEN
}

function partsOf({ responseParts }: ActiveTurn, requestId: unknown): InputRequestPart[] {
  return responseParts.filter(
    (part): part is InputRequestPart => part.kind === 'inputRequest' && part.request.id === requestId,
  )
}
