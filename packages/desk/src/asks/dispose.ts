import type { InputRequest } from '@beckon/core/chat'
import type { Gone, Line } from '../log/act.js'
import type { Order, Settled } from '../log/order.js'
import { openRequests, policyOf, type SessionRecord } from '../state/session-record.js'
import { completed, type Stamp } from './lines.js'

/**
 * Ends a session and forgets it. What is open is withdrawn first, while it can still be said who may see it, so that
 * everyone who watches is told.
 */
export async function dispose(order: Order, session: string, stamp: () => Stamp): Promise<Settled> {
  await order.change(state => {
    const record = state.session(session)
    return { lines: record === undefined ? [] : withdrawals(record, stamp()) }
  })
  return order.change(state => {
    const record = state.session(session)
    if (record === undefined) return { refused: 'There is no such session.' }
    return { lines: [...withdrawals(record, stamp()), { session, act: { type: 'sessionDisposed' }, ...stamp() }] }
  })
}

/** Withdrawn by nobody, whoever disposes of the session: they did not answer. */
function withdrawals(record: SessionRecord, { at }: Stamp): Line[] {
  return openRequests(record).flatMap(request => {
    const { id: requestId } = request
    const gone = goneOf(record, request)
    return completed(record.id, { type: 'inputCompleted', requestId, response: 'cancel', ...gone }, { at })
  })
}

function goneOf(record: SessionRecord, request: InputRequest): { gone?: Gone } {
  const policy = policyOf(record, request.id)
  const askedAt = record.askedAt[request.id] ?? record.older.summary.createdAt
  return policy === undefined ? {} : { gone: { server: record.server, request, policy, askedAt } }
}
