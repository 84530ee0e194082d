import { mergeAnswers, replaceRequest, withAnswer } from '../answers.js'
import type { AsksAction } from './actions.js'
import type { AskApproval, AskEntry, AsksState } from './state.js'

/** The asks after an action. Never validates, and gives back the same object when nothing changed. */
export function reduceAsks(state: AsksState, action: AsksAction): AsksState {
  switch (action.type) {
    case 'asks/asked': {
      const { ask } = action
      const known = changeOpen(state, ask.session, ask.request.id, current => ({
        ...ask,
        request: replaceRequest(current.request, ask.request),
      }))
      return known === state ? { ...state, asks: [...state.asks, ask] } : known
    }
    case 'asks/answerChanged': {
      const { session, requestId, questionId, answer } = action
      return changeOpen(state, session, requestId, ask => ({
        ...ask,
        request: withAnswer(ask.request, questionId, answer),
      }))
    }
    case 'asks/ended': {
      const { session, requestId, ending, answers, approval } = action
      // Who has accepted is no business of those who are not asked any more.
      return changeOpen(state, session, requestId, ({ approval: _, ...ask }) => ({
        ...ask,
        request: mergeAnswers(ask.request, answers),
        ending,
        ...(approval && { approval }),
      }))
    }
    case 'asks/peopleChanged': {
      const { session, requestId, to, approval } = action
      return changeOpen(state, session, requestId, ({ to: _, approval: __, ...ask }) => ({
        ...ask,
        ...(to && { to }),
        ...(approval && { approval }),
      }))
    }
    case 'asks/commented': {
      const { session, requestId, comment } = action
      return changeLast(state, session, requestId, ask => ({ ...ask, comments: [...(ask.comments ?? []), comment] }))
    }
    case 'asks/reported': {
      const { session, report } = action
      const isOfCall = (ask: AskEntry): boolean => ask.session === session && ask.report === undefined
      if (!state.asks.some(isOfCall)) return state
      return { ...state, asks: state.asks.map(ask => (isOfCall(ask) ? { ...ask, report } : ask)) }
    }
    case 'asks/turnEnded': {
      const { session, turn, at } = action
      const isOfTurn = (ask: AskEntry): boolean => ask.session === session && ask.turn === undefined
      if (!state.asks.some(isOfTurn)) return state
      return { ...state, asks: state.asks.map(ask => (isOfTurn(ask) ? { ...abandoned(ask, at), turn } : ask)) }
    }
    case 'asks/sessionRemoved': {
      const asks = state.asks.filter(({ session }) => session !== action.session)
      return asks.length === state.asks.length ? state : { ...state, asks }
    }
    default:
      return state
  }
}

/** An ask whose turn ended, if it was open: nobody has to accept it any more. */
function abandoned(ask: AskEntry, at: number): AskEntry {
  const { approval } = ask
  return ask.ending === undefined ? { ...ask, ending: { at }, ...(approval && { approval: over(approval) }) } : ask
}

function over({ of, by }: AskApproval): AskApproval {
  return { of, by, missing: [] }
}

/** Changes an ask that is open; the newest comes first in mind, and last in the list. */
function changeOpen(
  state: AsksState,
  session: string,
  requestId: string,
  change: (ask: AskEntry) => AskEntry,
): AsksState {
  return changeAt(state, change, ask => isNamed(ask, session, requestId) && ask.ending === undefined)
}

/** Changes an ask, also one that has ended, where none of its id is open. */
function changeLast(
  state: AsksState,
  session: string,
  requestId: string,
  change: (ask: AskEntry) => AskEntry,
): AsksState {
  const changed = changeOpen(state, session, requestId, change)
  return changed === state ? changeAt(state, change, ask => isNamed(ask, session, requestId)) : changed
}

function isNamed({ request, session }: AskEntry, wanted: string, requestId: string): boolean {
  return request.id === requestId && session === wanted
}

function changeAt(
  state: AsksState,
  change: (ask: AskEntry) => AskEntry,
  isWanted: (ask: AskEntry) => boolean,
): AsksState {
  const { asks } = state
  const index = asks.findLastIndex(isWanted)
  const ask = asks[index]
  return ask === undefined ? state : { ...state, asks: asks.with(index, change(ask)) }
}
