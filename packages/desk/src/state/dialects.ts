// An act as each dialect of the live protocol writes it.
import type { ChatAction, SessionSummaryAction } from '@beckon/core/chat'
import type { SessionAction } from '@beckon/core/session-0.3'
import type { Act } from '../log/act.js'

/** An act on the session's channel of dialect 0.3. */
export function olderAction(act: Act): SessionAction | undefined {
  switch (act.type) {
    case 'sessionCreated':
    case 'sessionDisposed':
    case 'audienceChanged':
    case 'inputNeededSet':
    case 'inputNeededRemoved':
    case 'chatUpdated':
      return undefined
    case 'turnStarted': {
      const { startedAt: _, ...rest } = act
      return { ...rest, type: 'session/turnStarted' }
    }
    case 'turnComplete':
    case 'turnCancelled':
      return { type: `session/${act.type}`, turnId: act.turnId }
    case 'error':
      return { type: 'session/error', turnId: act.turnId, error: act.error }
    case 'inputRequested':
      return { type: 'session/inputRequested', request: act.request }
    case 'inputCompleted': {
      const { reason: _, gone: __, ...rest } = act
      return { ...rest, type: 'session/inputCompleted' }
    }
    default:
      // The type is the only thing that differs between the dialects.
      return { ...act, type: `session/${act.type}` } as SessionAction
  }
}

/** An act on the chat's channel of the later dialect. */
export function chatAction(act: Act): ChatAction | undefined {
  switch (act.type) {
    case 'sessionCreated':
    case 'sessionDisposed':
    case 'audienceChanged':
    case 'titleChanged':
    case 'inputNeededSet':
    case 'inputNeededRemoved':
    case 'chatUpdated':
      return undefined
    case 'inputRequested':
      return { type: 'chat/inputRequested', request: act.request }
    case 'inputCompleted': {
      const { reason: _, gone: __, ...rest } = act
      return { ...rest, type: 'chat/inputCompleted' }
    }
    default:
      return { ...act, type: `chat/${act.type}` } as ChatAction
  }
}

/** An act on the session's channel of the later dialect. */
export function summaryAction(act: Act): SessionSummaryAction | undefined {
  switch (act.type) {
    case 'titleChanged':
    case 'isReadChanged':
    case 'isArchivedChanged':
    case 'inputNeededSet':
    case 'inputNeededRemoved':
    case 'chatUpdated':
      return { ...act, type: `session/${act.type}` } as SessionSummaryAction
    default:
      return undefined
  }
}
