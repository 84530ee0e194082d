import type { InputRequest } from '@beckon/core/chat'
import type { Visitor } from '../../asks/gate.js'
import { mayAnswer } from '../../asks/policy.js'
import type { Order } from '../../log/order.js'
import type { SessionRecord } from '../../state/session-record.js'
import type { AskIndex } from './ask-index.js'
import { type EndedAsk, endedAsk } from './ask-view.js'
import { type Ended, endedOf } from './happening.js'
import type { KnownAsk } from './known-ask.js'

/** An ask that is open, with its drafts. */
export interface Found {
  readonly ask: KnownAsk
  readonly record: SessionRecord
  readonly request: InputRequest
}

/** The ask of this id that someone may see: an open one rather than one that has ended. */
export function askFor(
  asks: AskIndex,
  visitor: Visitor,
  id: string,
  session?: string | undefined,
): KnownAsk | undefined {
  const seen = asks
    .find(id)
    .filter(ask => mayAnswer(ask.policy, visitor) && (session === undefined || ask.session === session))
  return seen.find(({ endedSeq }) => endedSeq === undefined) ?? seen[0]
}

/** An ask with the state it is in; undefined when it has ended. */
export function openState(order: Order, ask: KnownAsk): Found | undefined {
  const record = ask.endedSeq === undefined ? order.state.session(ask.session) : undefined
  const request = record?.openRequest(ask.id)
  return record && request && { ask, record, request }
}

function howEnded(order: Order, { id, session }: KnownAsk): Ended {
  return endedOf(order.state.session(session)?.endings.get(id))
}

export function endedState(order: Order, ask: KnownAsk): EndedAsk {
  return endedAsk(ask, howEnded(order, ask))
}
