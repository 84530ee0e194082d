import { isRecord } from '../collections/record.js'
import type { Refusal } from '../refusals/refusal.js'
import { actionInvalid } from './reasons.js'
import type { Conversation } from './turn.js'

type Fields = Record<string, unknown>

/** Why a client may not start this turn; undefined when it may. */
export function checkTurnStarted(state: Conversation, action: Fields): Refusal | undefined {
  const { turnId, message, startedAt, queuedMessageId } = action
  if (state.activeTurn) return { code: 'turn-in-progress' }
  if (typeof turnId !== 'string' || turnId === '') return actionInvalid('turnId', 'a string')
  if (state.turns.some(({ id }) => id === turnId)) return { code: 'turn-exists' }
  if (!isRecord(message) || typeof message.text !== 'string') return actionInvalid('message.text', 'a string')
  if (message.origin !== undefined && (!isRecord(message.origin) || message.origin.kind !== 'user')) {
    return actionInvalid('message.origin.kind', 'user')
  }
  if (startedAt !== undefined && typeof startedAt !== 'string') return actionInvalid('startedAt', 'a string')
  if (queuedMessageId !== undefined && typeof queuedMessageId !== 'string') {
    return actionInvalid('queuedMessageId', 'a string')
  }
  return undefined
}

/** Why a client may not cancel this turn; undefined when it may. */
export function checkTurnCancelled(state: Conversation, { turnId, duration }: Fields): Refusal | undefined {
  if (!state.activeTurn || state.activeTurn.id !== turnId) return { code: 'turn-not-active' }
  return duration === undefined || Number.isFinite(duration) ? undefined : actionInvalid('duration', 'a number')
}

/** Why a client may not truncate here; undefined when it may. */
export function checkTruncated(state: Conversation, { turnId }: Fields): Refusal | undefined {
  return turnId === undefined || state.turns.some(({ id }) => id === turnId) ? undefined : { code: 'turn-not-found' }
}
