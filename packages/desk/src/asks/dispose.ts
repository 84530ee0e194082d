import type { InputRequest } from '@beckon/core/chat'
import type { Gone, Line } from '../log/act.js'
import type { Order, Settled } from '../log/order.js'
import type { SessionRecord } from '../state/session-record.js'
import type { Audit } from './audit.js'
import { completed, type Stamp } from './lines.js'
import { sessionNotFound } from './refusals.js'
import { recordWithdrawn } from './withdrawn.js'

export interface DisposeOptions {
  readonly order: Order
  readonly audit: Audit
  /** Told what cannot be recorded: what was done is done. */
  readonly onError: (error: unknown) => void
}

/**
 * Ends a session and forgets it. What is open is withdrawn first, while it can still be said who may see it, so that
 * everyone who watches is told.
 */
export async function dispose(
  { order, audit, onError }: DisposeOptions,
  session: string,
  stamp: () => Stamp,
): Promise<Settled> {
  const withdrawn = await order.change(state => {
    const record = state.session(session)
    return { lines: record === undefined ? [] : withdrawals(record, stamp()) }
  })
  const disposed = await order.change(state => {
    const record = state.session(session)
    if (record === undefined) return { refused: sessionNotFound }
    return { lines: [...withdrawals(record, stamp()), { session, act: { type: 'sessionDisposed' }, ...stamp() }] }
  })
  for (const settled of [withdrawn, disposed]) await recordWithdrawn(audit, settled, stamp().by).catch(onError)
  return disposed
}

/** Withdrawn by nobody, whoever disposes of the session: they did not answer. */
function withdrawals(record: SessionRecord, { at }: Stamp): Line[] {
  return record.openRequests.flatMap(request => {
    const { id: requestId } = request
    const gone = goneOf(record, request)
    return completed(record.id, { type: 'inputCompleted', requestId, response: 'cancel', ...gone }, { at })
  })
}

function goneOf(record: SessionRecord, request: InputRequest): { gone?: Gone } {
  const policy = record.policies.get(request.id)
  const askedAt = record.askedAt.get(request.id) ?? record.bare.older.summary.createdAt
  return policy === undefined ? {} : { gone: { server: record.server, request, policy, askedAt } }
}
