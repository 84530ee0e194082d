import { mergeAnswers, replaceRequest, withAnswer } from '../answers.js'
import type { AsksAction } from './actions.js'
import type { AskEntry, AsksState } from './state.js'

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
      const { session, requestId, ending, answers } = action
      return changeOpen(state, session, requestId, ask => ({
        ...ask,
        request: mergeAnswers(ask.request, answers),
        ending,
      }))
    }
    case 'asks/turnEnded': {
      const { session, turn, at } = action
      const isOfTurn = (ask: AskEntry): boolean => ask.session === session && ask.turn === undefined
      if (!state.asks.some(isOfTurn)) return state
      return { ...state, asks: state.asks.map(ask => (isOfTurn(ask) ? { ending: { at }, ...ask, turn } : ask)) }
    }
    case 'asks/sessionRemoved': {
      const asks = state.asks.filter(({ session }) => session !== action.session)
      return asks.length === state.asks.length ? state : { ...state, asks }
    }
    default:
      return state
  }
}

/** Changes an ask that is open; the newest comes first in mind, and last in the list. */
function changeOpen(
  state: AsksState,
  session: string,
  requestId: string,
  change: (ask: AskEntry) => AskEntry,
): AsksState {
  const { asks } = state
  const index = asks.findLastIndex(
    ask => ask.request.id === requestId && ask.session === session && ask.ending === undefined,
  )
  const ask = asks[index]
  return ask === undefined ? state : { ...state, asks: asks.with(index, change(ask)) }
}
