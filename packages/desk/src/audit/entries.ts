import type { EventOf } from '../model/events.js'
import type { Happened } from '../model/happened.js'
import { answeredBy } from '../model/reduce.js'
import type { AuditEntry, AuditEvent } from './audit.js'

/** What an event comes to in the audit: nothing, one entry, or one for each ask that ended with its turn. */
export function auditEntries({ id: session, event, before, after }: Happened): AuditEntry[] {
  const { at, by } = event
  const who = by && { by }
  const entry = (what: AuditEvent, more: Partial<AuditEntry> = {}): AuditEntry => ({
    event: what,
    at,
    session,
    ...who,
    ...more,
  })
  switch (event.type) {
    case 'asked':
      return [entry('asked', { request: event.request.id })]
    case 'drafted':
      return [entry('drafted', { request: event.ask, question: event.question })]
    case 'approved':
    case 'approvalWithdrawn': {
      const { approvals = [], policy } = after?.open.get(event.ask) ?? {}
      const isAccept = event.type === 'approved'
      const counted = isAccept ? approvals.filter(({ digest }) => digest === event.digest) : approvals
      const reason = `${isAccept ? 'accepted' : 'declined'}: recorded, ${counted.length} of ${policy?.quorum ?? 1}`
      return [entry('recorded', { request: event.ask, reason })]
    }
    case 'askEnded':
      return [entry(endingOf(event), { request: event.ask })]
    case 'escalated':
      return [entry('escalated', { request: event.ask })]
    case 'reminded':
      return [entry('reminded', { request: event.ask })]
    case 'turnStarted':
      return by === undefined ? [] : [entry('started')]
    case 'turnEnded':
    case 'truncated': {
      const withdrawn = [...(before?.open.values() ?? [])].map(ask => entry('withdrawn', { request: ask.id }))
      const what = event.type === 'truncated' ? 'truncated' : 'cancelled'
      return by === undefined ? withdrawn : [entry(what), ...withdrawn]
    }
    case 'titleChanged':
    case 'marked':
      return by === undefined ? [] : [entry('changed')]
    default:
      return []
  }
}

function endingOf(event: EventOf<'askEnded'>): AuditEvent {
  const { response, isExpired } = event
  if (answeredBy(event) === undefined) return isExpired ? 'expired' : 'withdrawn'
  return response === 'accept' ? 'accepted' : response === 'decline' ? 'declined' : 'dismissed'
}
