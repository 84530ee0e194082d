import { given, without } from '../collections/record.js'
import { skipUnfinished } from './reduce-tool-call.js'
import type { Conversation, Turn, TurnAction } from './turn.js'

type TurnStarted = Extract<TurnAction<'session' | 'chat'>, { message: unknown }>

/** Begins a turn, and takes the message it was made from out of the queue. */
export function startTurn<T extends Conversation>(state: T, action: TurnStarted): T {
  const { turnId, message, startedAt, queuedMessageId } = action
  const activeTurn = { id: turnId, ...given({ startedAt }), message, responseParts: [] }
  let next: T = { ...state, activeTurn }
  if (!queuedMessageId) return next
  if (next.steeringMessage?.id === queuedMessageId) next = without(next, 'steeringMessage')
  const queuedMessages = next.queuedMessages?.filter(({ id }) => id !== queuedMessageId)
  return queuedMessages?.length ? { ...next, queuedMessages } : without(next, 'queuedMessages')
}

/** Moves the active turn to the finished ones. The same object comes back when another turn, or none, is active. */
export function endTurn<T extends Conversation>(
  state: T,
  turnId: string,
  end: Pick<Turn, 'state' | 'error' | 'duration'>,
): T {
  const { activeTurn } = state
  if (activeTurn?.id !== turnId) return state
  const responseParts = activeTurn.responseParts.map(part =>
    part.kind === 'toolCall' ? { ...part, toolCall: skipUnfinished(part.toolCall) } : part,
  )
  const turns = [...state.turns, { ...activeTurn, responseParts, ...end }]
  return without({ ...state, turns }, 'activeTurn')
}

/** Takes the last turn up again where it failed in a way that allows it. The same object comes back where not. */
export function resumeTurn<T extends Conversation>(state: T, turnId: string, otherwiseAt: string): T {
  const turn = state.turns.at(-1)
  if (state.activeTurn || turn?.id !== turnId || turn.state !== 'error') return state
  const part = turn.responseParts.at(-1)
  if (part?.kind !== 'error' || !part.resumable) return state
  const { state: _state, duration: _duration, error: _error, startedAt = otherwiseAt, ...rest } = turn
  return { ...state, turns: state.turns.slice(0, -1), activeTurn: { ...rest, startedAt } }
}

/** Keeps the turns up to one, or none, and drops the active turn. The same object comes back for an unknown turn. */
export function truncateTurns<T extends Conversation>(state: T, turnId: string | undefined): T {
  const kept = turnId === undefined ? 0 : state.turns.findIndex(({ id }) => id === turnId) + 1
  if (turnId !== undefined && kept === 0) return state
  return without({ ...state, turns: state.turns.slice(0, kept) }, 'activeTurn')
}
