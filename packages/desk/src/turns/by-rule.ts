// What a standing rule does to an ask that is opened: it answers it, in the append that opens it, or says whom it is for. Only a
// yes or no about a tool call, also where its arguments could be changed: what any other form or a page is for, only a person
// knows.
//
// A rule looks at the arguments of the call, and what it accepts is a form that should have them: where the form would give others,
// people are asked.
import { type Answer, answersOf, type Content } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'
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

/** What a rule would accept of a form, and whether that is the call that it is about. */
export interface Unchanged {
  readonly answers: Readonly<Record<string, Answer>>
  readonly isTheCall: boolean
}

/** The answers of a person who changes nothing in a form. */
export function unchangedAnswers({ form }: DeskRequest, input: unknown): Unchanged | undefined {
  if (form === undefined) return undefined
  const presets = Object.entries(form.properties).flatMap(([name, { default: preset }]) =>
    preset === undefined ? [] : [[name, preset] as const],
  )
  const content: Content = Object.fromEntries(presets)
  const names = Object.keys(form.properties)
  return { answers: answersOf(form, content), isTheCall: names.every(name => givesBack(content, input, name)) }
}

/** Whether an unchanged answer is the argument: the same, or its text as JSON where no field could hold it. */
function givesBack(content: Content, input: unknown, name: string): boolean {
  const answer = Object.hasOwn(content, name) ? content[name] : undefined
  const text = JSON.stringify(isRecord(input) && Object.hasOwn(input, name) ? input[name] : undefined)
  return answer === text || JSON.stringify(answer) === text
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
  readonly unchanged: Unchanged | undefined
  readonly at: number
  readonly sign: SignEnding | undefined
}

/** The events by which rules answer an ask that is open: none, its end, or the approvals of some who have to agree. */
export function answerByRule(session: Session, ask: string, answering: Answering): readonly SessionEvent[] {
  const { ruling, at, sign, unchanged } = answering
  const rules = 'general' in ruling ? [ruling.general] : ruling.own
  const events: SessionEvent[] = []
  let state: Session | undefined = session
  for (const rule of rules) {
    const open: Ask | undefined = state?.open.get(ask)
    if (state === undefined || open === undefined) break
    // An accept that takes a person is given by nobody else; a no needs none.
    if (rule.effect === 'allow' && (open.policy.person || unchanged?.isTheCall === false)) break
    const before: Session = state
    const decided = answers(before, rule, { ask, at, accepted: unchanged?.answers }).map(event =>
      signed(before, event, sign),
    )
    events.push(...decided)
    state = decided.reduce<Session | undefined>(reduce, before)
  }
  return events
}

function answers(
  session: Session,
  rule: Rule,
  { ask, at, accepted }: { ask: string; at: number; accepted: Unchanged['answers'] | undefined },
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
