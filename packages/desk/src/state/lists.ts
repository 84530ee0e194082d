// Where each state has its list of asks.
import type { ChatState, InputNeeded, InputRequest, InputRequestPart, SessionSummary } from '@beckon/core/chat'
import type { SessionState } from '@beckon/core/session-0.3'
import type { Lens } from './apart.js'

/** The open requests of a session of dialect 0.3. */
export const requestList: Lens<SessionState, InputRequest> = {
  take: ({ inputRequests: items = [], ...rest }) => ({ rest, items }),
  put: (rest, items) => (items.length > 0 ? { ...rest, inputRequests: [...items] } : rest),
  idOf: ({ id }) => id,
  isOpen: () => true,
  standIn: id => ({ id }),
}

/** The requests in a chat's active turn, open and answered. A desk puts nothing else there. */
export const partList: Lens<ChatState, InputRequestPart> = {
  take(state) {
    const { activeTurn } = state
    if (activeTurn === undefined) return { rest: state, items: [] }
    const items = activeTurn.responseParts.filter(part => part.kind === 'inputRequest')
    return { rest: { ...state, activeTurn: { ...activeTurn, responseParts: [] } }, items }
  },
  put(rest, items) {
    const { activeTurn } = rest
    return activeTurn === undefined || items.length === 0
      ? rest
      : { ...rest, activeTurn: { ...activeTurn, responseParts: [...items] } }
  },
  idOf: ({ request }) => request.id,
  isOpen: ({ response }) => response === undefined,
  standIn: id => ({ kind: 'inputRequest', request: { id } }),
}

/** What a session of the later dialect says that it waits for. */
export const neededList: Lens<SessionSummary, InputNeeded> = {
  take: ({ inputNeeded: items = [], ...rest }) => ({ rest, items }),
  put: (rest, items) => (items.length > 0 ? { ...rest, inputNeeded: [...items] } : rest),
  idOf: ({ id }) => id,
  isOpen: () => true,
  standIn: id => ({ kind: 'chatInput', id, chat: '', request: { id } }),
}
