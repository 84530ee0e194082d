import { without } from '../../collections/record.js'
import { SessionStatus, withActivity, withMark, withStatus } from '../status.js'
import type { SessionSummaryAction } from './actions.js'
import type { ChatEntry, InputNeeded, SessionSummary } from './state.js'

/**
 * The session after an action on its own channel, where it mirrors what its chats wait for. The same promises as
 * `reduceChat`; the time is not used, since this state has none.
 */
export function reduceSessionSummary(
  state: SessionSummary,
  action: SessionSummaryAction,
  _at?: number,
): SessionSummary {
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
    case 'session/chatUpdated': {
      const index = state.chats.findIndex(({ resource }) => resource === action.chat)
      const chat = state.chats[index]
      if (!chat) return state
      const { resource } = chat
      return { ...state, chats: state.chats.with(index, { ...chat, ...action.changes, resource }) }
    }
    case 'session/chatAdded': {
      const index = state.chats.findIndex(({ resource }) => resource === action.summary.resource)
      const chats = index < 0 ? [...state.chats, action.summary] : state.chats.with(index, action.summary)
      return { ...state, chats }
    }
    case 'session/chatRemoved': {
      const chats = state.chats.filter(({ resource }) => resource !== action.chat)
      if (chats.length === state.chats.length) return state
      const next = { ...state, chats }
      return next.defaultChat === action.chat ? without(next, 'defaultChat') : next
    }
    case 'session/chatsReordered': {
      const chats = inOrder(state.chats, action.chats)
      return chats ? { ...state, chats } : state
    }
    case 'session/defaultChatChanged': {
      const { defaultChat } = action
      if (defaultChat === state.defaultChat) return state
      return defaultChat === undefined ? without(state, 'defaultChat') : { ...state, defaultChat }
    }
    case 'session/ready':
      return state.lifecycle === 'ready' ? state : { ...state, lifecycle: 'ready' }
    case 'session/creationFailed':
      return { ...state, lifecycle: 'failed', creationError: action.error }
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

/** The chats in another order; undefined where that is not the order of just these, or the one that they have. */
function inOrder(chats: ChatEntry[], order: string[]): ChatEntry[] | undefined {
  const named = new Map(chats.map(chat => [chat.resource, chat]))
  const ordered = [...new Set(order)].flatMap(resource => named.get(resource) ?? [])
  if (ordered.length !== chats.length || order.length !== chats.length) return undefined
  return ordered.some((chat, index) => chat !== chats[index]) ? ordered : undefined
}

/** Work handed to a client is under way; nobody is asked for anything. */
function asksPerson({ kind }: InputNeeded): boolean {
  return kind !== 'toolClientExecution'
}

function withNeeded(state: SessionSummary, inputNeeded: InputNeeded[]): SessionSummary {
  const status = inputNeeded.some(asksPerson)
    ? withActivity(state.status, SessionStatus.inputNeeded)
    : withMark(state.status, SessionStatus.inputNeeded & ~SessionStatus.inProgress, false)
  return inputNeeded.length > 0 ? { ...state, inputNeeded, status } : without({ ...state, status }, 'inputNeeded')
}
