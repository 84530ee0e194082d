import type { EventOf, SessionEvent } from './events.js'
import type { Session } from './session.js'

/** The end of an ask. A call has a turn for its asks alone: the last one that is open takes it along. */
export function endAsk({ isCall, activeTurn, open }: Session, ended: EventOf<'askEnded'>): SessionEvent[] {
  const isLast = open.size === 1 && open.has(ended.ask)
  if (!isCall || !isLast || activeTurn === undefined) return [ended]
  const state = ended.response === 'cancel' && ended.by === undefined ? 'cancelled' : 'complete'
  return [ended, { type: 'turnEnded', at: ended.at, turn: activeTurn.id, state }]
}
