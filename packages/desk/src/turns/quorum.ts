// Where several have to accept, an accept is of an answer: of its digest, and of that of what was shown. Those that differ are
// rival proposals, and the first that enough people have accepted is the outcome.
import { createHash } from 'node:crypto'
import { contentOf } from '@beckon/core'
import type { Refusal, Rejection } from '@beckon/core/live'
import { widgetMeta } from '@beckon/core/widgets'
import { placeOf } from '../model/audience.js'
import { endAsk } from '../model/end-ask.js'
import type { EventOf } from '../model/events.js'
import type { Ask, Session } from '../model/session.js'
import { showOf } from '../model/shown.js'
import { nobodyInParticular } from '../policy/audience.js'
import type { Decision } from '../sessions/sessions.js'

/** What the end of an ask comes to where several have to accept; undefined where one decides. */
export function decideQuorum(session: Session, ended: EventOf<'askEnded'>): Decision | undefined {
  const ask = session.open.get(ended.ask)
  const { quorum, outlastsDecline } = ask?.policy ?? {}
  if (ask === undefined || quorum === undefined) return undefined
  if (ended.response !== 'accept') return outlastsDecline ? takeBack(ask, ended, quorum) : undefined
  const refused = refusalOf(ask, ended)
  if (refused !== undefined) return { refused }
  const { principal } = ended.by ?? {}
  const digest = digestOf(ask, ended)
  const same = ask.approvals.filter(approval => approval.digest === digest)
  const count = countOf(ask, [...same.map(approval => approval.principal), principal ?? ''])
  if (count >= quorum) return { events: endAsk(session, { ...ended, digest }) }
  const { at, by, origin, method, rule } = ended
  const isKnown = same.some(approval => approval.principal === principal)
  const who = { ...(by && { by }), ...(origin && { origin }), ...(method && { method }), ...(rule && { rule }) }
  const approved = { type: 'approved', at, ask: ask.id, digest, ...who } as const
  return { events: isKnown ? [] : [approved], refused: recorded(count, quorum) }
}

/** Who is away and who stands in for them are one of those who have to accept, and the caller is none, also by a stand-in. */
function countOf({ policy }: Ask, people: readonly string[]): number {
  const places = new Set(people.map(one => placeOf(policy, one)))
  return [...places].filter(place => place !== policy.requester).length
}

/** A decline that does not end it takes that person's accept back. */
function takeBack({ id, approvals }: Ask, { at, by, origin }: EventOf<'askEnded'>, quorum: number): Decision {
  const others = approvals.filter(({ principal }) => principal !== by?.principal)
  const event = { type: 'approvalWithdrawn', at, ask: id, ...(by && { by }), ...(origin && { origin }) } as const
  return { events: others.length < approvals.length ? [event] : [], refused: recorded(others.length, quorum) }
}

function refusalOf({ request, policy, drafts }: Ask, { by, answers = {} }: EventOf<'askEnded'>): Refusal | undefined {
  if (by === undefined || by.principal === nobodyInParticular) return { code: 'person-unknown' }
  if ([by.principal, placeOf(policy, by.principal)].some(one => one === policy.requester))
    return { code: 'own-request' }
  // What somebody else has drafted meanwhile is not what this person has seen.
  const missing = (request.questions ?? []).find(
    ({ id, required }) => !Object.hasOwn(answers, id) && (required || Object.hasOwn(drafts, id)),
  )
  if (missing === undefined) return undefined
  return { code: 'answers-incomplete', params: { question: missing.id, title: missing.title ?? missing.id } }
}

function digestOf({ request, drafts }: Ask, { answers }: EventOf<'askEnded'>): string {
  const { message, url, questions = [] } = request
  const content = contentOf(questions, { ...drafts, ...answers })
  const show = showOf(request)
  const widget = request._meta?.[widgetMeta]
  const beside = [...(show.length > 0 ? [show] : []), ...(widget === undefined ? [] : [widget])]
  const proposal = JSON.stringify([message, url ?? null, questions, content, ...beside])
  return createHash('sha256').update(proposal).digest('base64url')
}

function recorded(count: number, quorum: number): Rejection {
  return { code: 'recorded', params: { count, of: quorum } }
}
