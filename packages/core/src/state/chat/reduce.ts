import type { Response } from '../../ask/outcome.js'
import { given, without } from '../../collections/record.js'
import { mergeAnswers, replaceRequest, withAnswer } from '../answers.js'
import { activityOf, appendPart, changePart, reduceResponse } from '../reduce-response.js'
import { endTurn, resumeTurn, startTurn, truncateTurns } from '../reduce-turns.js'
import type { InputRequest } from '../request.js'
import { SessionStatus, withActivity, withMark, withStatus } from '../status.js'
import type { Turn } from '../turn.js'
import type { ChatAction } from './actions.js'
import type { ChatState } from './state.js'

/**
 * The chat after an action. Never validates (that is `checkAction`), never changes its arguments, and gives back the
 * same object when nothing changed, as for actions of a later version.
 * @param at milliseconds; becomes `modifiedAt`. Absent from 1.0 on, where that is when a turn last began or ended.
 */
export function reduceChat(state: ChatState, action: ChatAction, at?: number): ChatState {
  const { activeTurn, status, turns } = state
  const now = at === undefined ? undefined : iso(at)
  switch (action.type) {
    case 'chat/turnStarted':
      // A start that arrives again must not wipe what the turn has by now.
      if (activeTurn?.id === action.turnId || turns.some(({ id }) => id === action.turnId)) return state
      return unread(settle(startTurn(state, action), now ?? action.startedAt))
    case 'chat/turnComplete':
      return finish(state, action, { state: 'complete' }, now)
    case 'chat/turnCancelled':
      return finish(state, action, { state: 'cancelled' }, now)
    case 'chat/error': {
      if ('error' in action) return finish(state, action, { state: 'error', error: action.error }, now)
      if (activeTurn?.id !== action.turnId) return state
      const failed = { ...state, activeTurn: appendPart(activeTurn, action.part) }
      return finish(failed, action, { state: 'error' }, now)
    }
    case 'chat/turnResume': {
      const next = resumeTurn(state, action.turnId, state.modifiedAt)
      return next === state ? state : unread(settle(next, now))
    }
    case 'chat/truncated': {
      const next = truncateTurns(state, action.turnId)
      if (next === state) return state
      return settle(action.turnId === undefined ? without(next, 'turnsNextCursor') : next, now)
    }
    case 'chat/turnsLoaded': {
      const known = new Set(turns.map(({ id }) => id))
      const older = action.turns.filter(({ id }) => !known.has(id))
      const { turnsNextCursor } = action
      if (older.length === 0 && turnsNextCursor === state.turnsNextCursor) return state
      const next = { ...state, turns: [...older, ...turns] }
      return turnsNextCursor === undefined ? without(next, 'turnsNextCursor') : { ...next, turnsNextCursor }
    }

    case 'chat/inputRequested': {
      if (!activeTurn) return state
      const { request } = action
      const replaced = changeOpen(state, request.id, current => replaceRequest(current, request))
      const next = replaced ?? { ...state, activeTurn: appendPart(activeTurn, { kind: 'inputRequest', request }) }
      return unread(settle(next, now))
    }
    case 'chat/inputAnswerChanged': {
      const { requestId, questionId, answer } = action
      const next = changeOpen(state, requestId, request => withAnswer(request, questionId, answer))
      return next ? { ...next, ...given({ modifiedAt: now }) } : state
    }
    case 'chat/inputCompleted': {
      const { requestId, answers, response } = action
      const next = changeOpen(state, requestId, request => mergeAnswers(request, answers), response)
      return next ? settle(next, now) : state
    }

    case 'chat/isReadChanged':
      return withStatus(state, withMark(status, SessionStatus.isRead, action.isRead))
    case 'chat/isArchivedChanged':
      return withStatus(state, withMark(status, SessionStatus.isArchived, action.isArchived))

    default: {
      const changed = reduceResponse(activeTurn, action)
      if (!changed || changed === activeTurn) return state
      return withStatus({ ...state, activeTurn: changed }, withActivity(status, activityOf(changed)))
    }
  }
}

function finish(
  state: ChatState,
  { turnId, duration }: { turnId: string; duration?: number },
  end: Pick<Turn, 'state' | 'error'>,
  now: string | undefined,
): ChatState {
  const { activeTurn } = state
  const lasted = duration === undefined ? undefined : Math.max(0, duration)
  const next = endTurn(state, turnId, { ...end, ...given({ duration: lasted }) })
  if (activeTurn === undefined || next === state) return state
  const endedAt = now ?? later(activeTurn.startedAt, lasted ?? 0)
  return settle(next, endedAt, end.state === 'error' ? SessionStatus.error : SessionStatus.idle)
}

/** Changes an open request, and closes it with a response; undefined when there is none with this id. */
function changeOpen(
  state: ChatState,
  requestId: string,
  change: (request: InputRequest) => InputRequest,
  response?: Response,
): ChatState | undefined {
  const turn = state.activeTurn
  if (!turn) return undefined
  const activeTurn = changePart(turn, part =>
    part.kind === 'inputRequest' && !part.response && part.request.id === requestId
      ? { ...part, request: change(part.request), ...given({ response }) }
      : part,
  )
  return activeTurn === turn ? undefined : { ...state, activeTurn }
}

function settle(
  state: ChatState,
  modifiedAt: string = state.modifiedAt,
  activity: number = activityOf(state.activeTurn),
): ChatState {
  return { ...state, status: withActivity(state.status, activity), modifiedAt }
}

function unread(state: ChatState): ChatState {
  return withStatus(state, withMark(state.status, SessionStatus.isRead, false))
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

/** A time and some milliseconds; undefined for what is not a time. */
function later(time: string | undefined, milliseconds: number): string | undefined {
  const at = Date.parse(time ?? '') + milliseconds
  return Math.abs(at) <= 8.64e15 ? iso(at) : undefined
}
