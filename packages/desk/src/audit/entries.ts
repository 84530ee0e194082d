import { contentOf } from '@beckon/core'
import { subjectOf } from '../asks/ask-view.js'
import type { EventOf, SessionEvent } from '../model/events.js'
import { answeredBy, findAsk } from '../model/reduce.js'
import type { Approval, Ask, Session } from '../model/session.js'
import { showOf, widgetShown } from '../model/shown.js'
import type { NamedEvent } from '../sessions/sessions.js'
import type { AuditEntry, AuditEvent, EntryDraft } from './entry.js'

/** Whether an event may come to anything in the audit. */
export function isAudited({ type, by }: SessionEvent): boolean {
  switch (type) {
    case 'created':
    case 'awaited':
    case 'disposed':
      return false
    case 'turnStarted':
    case 'titleChanged':
    case 'marked':
      return by !== undefined
    default:
      return true
  }
}

/**
 * What an event comes to in the audit: nothing, one entry, or one for each ask that ended with its turn. The same event comes
 * to the same entries wherever, and whenever, it is asked: their ids are made of its own.
 */
export function auditEntries({ id: session, event, eventId, before, after }: NamedEvent): EntryDraft[] {
  const { at, by } = event
  const known = after ?? before
  let count = 0
  const draft = (what: AuditEvent, more: Partial<AuditEntry> = {}): EntryDraft => ({
    entry: {
      id: count++ === 0 ? eventId : `${eventId}.${count}`,
      event: what,
      at,
      session,
      ...(known && { server: known.server }),
      ...(by && { by }),
      ...more,
    },
  })
  const ofAsk = (ask: Ask | undefined, what: AuditEvent, more: Partial<AuditEntry> = {}): EntryDraft =>
    known === undefined || ask === undefined ? draft(what, more) : withAsk(draft(what, more), known, ask)
  switch (event.type) {
    case 'asked':
      return [ofAsk(after?.open.get(event.request.id), 'asked', { request: event.request.id, ...ruleOf(event) })]
    case 'drafted':
      return [ofAsk(after?.open.get(event.ask), 'drafted', { request: event.ask, question: event.question })]
    case 'approved':
    case 'approvalWithdrawn': {
      const ask = after?.open.get(event.ask)
      const { approvals = [], policy } = ask ?? {}
      const isAccept = event.type === 'approved'
      const rule = isAccept ? ruleOf(event) : {}
      const counted = isAccept ? approvals.filter(({ digest }) => digest === event.digest) : approvals
      const reason = `${isAccept ? 'accepted' : 'declined'}: recorded, ${counted.length} of ${policy?.quorum ?? 1}`
      return [ofAsk(ask, 'recorded', { request: event.ask, approvals: counted.map(principalOf), reason, ...rule })]
    }
    case 'askEnded': {
      const ask = before?.open.get(event.ask)
      const how = endingOf(event)
      const { receipt } = event
      const more = { ...approvalsOf(ask, event), ...ruleOf(event), ...(receipt !== undefined && { receipt }) }
      const ended = ofAsk(ask, how, { request: event.ask, ...more })
      if (how !== 'accepted' || ask === undefined) return [ended]
      const answers = { ...ask.drafts, ...event.answers }
      return [{ ...ended, answer: contentOf(ask.request.questions ?? [], answers) }]
    }
    case 'escalated':
    case 'reminded':
      return [ofAsk(after?.open.get(event.ask), event.type, { request: event.ask })]
    case 'delegated':
      return [ofAsk(after?.open.get(event.ask), 'delegated', { request: event.ask, person: event.to })]
    case 'commented':
      return [ofAsk(after && findAsk(after, event.ask), 'commented', { request: event.ask })]
    case 'reported':
      return [ofAsk(after?.ended.at(-1), 'reported', { reason: event.status })]
    case 'turnStarted':
      return by === undefined ? [] : [draft('started')]
    case 'turnEnded':
    case 'truncated': {
      const what = event.type === 'truncated' ? 'truncated' : 'cancelled'
      const own = by === undefined ? [] : [draft(what)]
      const asks = [...(before?.open.values() ?? [])]
      return [...own, ...asks.map(ask => ofAsk(ask, 'withdrawn', { request: ask.id }))]
    }
    case 'titleChanged':
    case 'marked':
      return by === undefined ? [] : [draft('changed')]
    default:
      return []
  }
}

/** An entry with what its ask is about. */
export function withAsk({ entry, ...draft }: EntryDraft, session: Session, ask: Ask): EntryDraft {
  const { server, tool, asker, arguments: input, message, url } = subjectOf({ session, ask })
  const { questions } = ask.request
  const show = showOf(ask.request)
  return {
    ...draft,
    entry: {
      ...entry,
      server,
      request: ask.id,
      ...(tool !== undefined && { tool }),
      ...(asker !== undefined && { asker }),
    },
    about: {
      instance: ask.instance,
      text: {
        message,
        ...(url !== undefined && { url }),
        ...(questions && { questions }),
        ...(show.length > 0 && { show }),
        ...widgetShown(ask.request),
      },
      ...(input !== undefined && { arguments: input }),
    },
  }
}

function endingOf(event: EventOf<'askEnded'>): AuditEvent {
  const { response, isExpired, rule } = event
  if ((answeredBy(event) ?? rule) === undefined) return isExpired ? 'expired' : 'withdrawn'
  return response === 'accept' ? 'accepted' : response === 'decline' ? 'declined' : 'dismissed'
}

/** The rule that decided. */
function ruleOf({ rule }: { readonly rule?: string }): Pick<AuditEntry, 'rule'> {
  return rule === undefined ? {} : { rule }
}

function principalOf({ principal }: Approval): string {
  return principal
}

/** Everyone who accepted the same, with the one whose word was the last that it needed. */
function approvalsOf(ask: Ask | undefined, event: EventOf<'askEnded'>): Pick<AuditEntry, 'approvals'> {
  const last = answeredBy(event)
  const same = (ask?.approvals ?? []).filter(({ digest }) => event.digest === undefined || digest === event.digest)
  const others = same.map(principalOf).filter(principal => principal !== last)
  if (ask?.policy.quorum === undefined && others.length === 0) return {}
  return { approvals: event.response === 'accept' && last !== undefined ? [...others, last] : others }
}
