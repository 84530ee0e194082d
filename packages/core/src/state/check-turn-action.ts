import { isRecord } from '../forms/json-schema.js'
import type { Conversation } from './turn.js'

type Fields = Record<string, unknown>

/** Why a client may not start this turn; undefined when it may. */
export function checkTurnStarted(state: Conversation, action: Fields): string | undefined {
  const { turnId, message, startedAt, queuedMessageId } = action
  if (state.activeTurn) return 'Another turn is in progress.'
  if (typeof turnId !== 'string' || turnId === '') return 'A turn needs an id.'
  if (state.turns.some(({ id }) => id === turnId)) return 'There is a turn with this id already.'
  if (!isRecord(message) || typeof message.text !== 'string') return 'A turn needs a message with a text.'
  if (message.origin !== undefined && (!isRecord(message.origin) || message.origin.kind !== 'user')) {
    return 'A client can only send messages of its user.'
  }
  if (startedAt !== undefined && typeof startedAt !== 'string') return 'A start must be a timestamp.'
  if (queuedMessageId !== undefined && typeof queuedMessageId !== 'string') {
    return 'The id of a message must be a string.'
  }
  return undefined
}

/** Why a client may not cancel this turn; undefined when it may. */
export function checkTurnCancelled(state: Conversation, { turnId, duration }: Fields): string | undefined {
  if (!state.activeTurn || state.activeTurn.id !== turnId) return 'This turn is not in progress.'
  return duration === undefined || Number.isFinite(duration) ? undefined : 'A duration must be a number.'
}

/** Why a client may not truncate here; undefined when it may. */
export function checkTruncated(state: Conversation, { turnId }: Fields): string | undefined {
  return turnId === undefined || state.turns.some(({ id }) => id === turnId) ? undefined : 'There is no such turn.'
}
