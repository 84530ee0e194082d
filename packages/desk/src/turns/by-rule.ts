// What a standing rule does to an ask that is opened: it answers it, in the append that opens it, or says whom it is for. Only a
// yes or no about a tool call, also where its arguments could be changed: what any other form or a page is for, only a person
// knows.
import { type Answer, answersOf, type Content } from '@beckon/core'
import type { AskSubject, DeskPolicy, DeskRequest } from 'beckon/desk/adapter'
import { endAsk } from '../model/end-ask.js'
import type { EventOf, SessionEvent } from '../model/events.js'
import { reduce } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'
import type { Ruling } from '../rules/decide.js'
import type { Rule, RuledCall } from '../rules/rule.js'
import { decideQuorum } from './quorum.js'
import type { SignEnding } from './turn.js'

/** Whether rules have a say in an ask. */
export function isRuled({ tool }: AskSubject, { form, url, approves }: DeskRequest): boolean {
  return tool !== undefined && url === undefined && (form === undefined || approves === true)
}

/** The answers of a person who changes nothing in a form. */
export function unchangedAnswers({ form }: DeskRequest): Record<string, Answer> | undefined {
  if (form === undefined) return undefined
  const presets = Object.entries(form.properties).flatMap(([name, { default: preset }]) =>
    preset === undefined ? [] : [[name, preset] as const],
  )
  const content: Content = Object.fromEntries(presets)
  return answersOf(form, content)
}

/** A call as rules see it. */
export function callOf({ server, tool, input, destructive, readOnly, principal }: AskSubject): RuledCall {
  return { server, tool, input, destructive, readOnly, principal }
}

/** Who is asked where a rule says so: whom the tool would ask, and how many, is replaced; who called does not count. */
export function routedBy({ audience, quorum, escalation }: Rule, given: DeskPolicy = {}): DeskPolicy {
  if (audience === undefined && quorum === undefined && escalation === undefined) return given
  const { escalation: planned, requesterCounts: _, ...policy } = given
  return {
    ...policy,
    escalation: escalation ?? (audience === undefined ? planned : undefined),
    audience: audience ?? policy.audience,
    quorum: quorum ?? (audience && 1),
  }
}

interface Answering {
  readonly ruling: Ruling
  /** What is accepted, where it is a form. */
  readonly answers: Readonly<Record<string, Answer>> | undefined
  readonly at: number
  readonly sign: SignEnding | undefined
}

/** The events by which rules answer an ask that is open: none, its end, or the approvals of some who have to agree. */
export function answerByRule(session: Session, ask: string, answering: Answering): readonly SessionEvent[] {
  const { ruling, at, sign, answers: accepted } = answering
  const rules = 'general' in ruling ? [ruling.general] : ruling.own
  const events: SessionEvent[] = []
  let state: Session | undefined = session
  for (const rule of rules) {
    const open: Ask | undefined = state?.open.get(ask)
    // An accept that takes a person is given by nobody else; a no needs none.
    if (state === undefined || open === undefined || (rule.effect === 'allow' && open.policy.person)) break
    const before: Session = state
    const decided = answers(before, rule, { ask, at, accepted }).map(event => signed(before, event, sign))
    events.push(...decided)
    state = decided.reduce<Session | undefined>(reduce, before)
  }
  return events
}

function answers(
  session: Session,
  rule: Rule,
  { ask, at, accepted }: { ask: string; at: number; accepted: Answering['answers'] },
): readonly SessionEvent[] {
  const { id, effect, owner, reason } = rule
  if (effect === 'ask') return []
  const ended: EventOf<'askEnded'> = {
    type: 'askEnded',
    at,
    ask,
    response: effect === 'allow' ? 'accept' : 'decline',
    rule: id,
    ...(effect === 'allow' && accepted !== undefined && { answers: accepted }),
    ...(reason !== undefined && { reason }),
    ...(owner !== undefined && { by: { principal: owner, device: 'rule' } }),
  }
  // A rule for the whole desk stands for all who would have to agree.
  if (owner === undefined) return endAsk(session, ended)
  return (decideQuorum(session, ended) ?? { events: endAsk(session, ended) }).events ?? []
}

function signed(session: Session, event: SessionEvent, sign: SignEnding | undefined): SessionEvent {
  const receipt = event.type === 'askEnded' ? sign?.(session, event) : undefined
  return receipt === undefined ? event : ({ ...event, receipt } as SessionEvent)
}
