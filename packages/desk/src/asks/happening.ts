import type { Happened } from '../model/happened.js'
import { answeredBy, findAsk } from '../model/reduce.js'
import type { Ask, Comment, Ending, Report, Session } from '../model/session.js'
import { mayAnswer, type Person } from '../policy/audience.js'

type AskEvent = 'asked' | 'drafted' | 'answered' | 'withdrawn' | 'expired' | 'commented' | 'reported'

/** Something that happened to one ask. */
export interface Happening {
  readonly event: AskEvent
  /** Milliseconds. */
  readonly at: number
  readonly session: Session
  /** As it is now. */
  readonly ask: Ask
  /** Absent for what the desk did itself. */
  readonly by?: string
  readonly question?: string
  /** What became of the question's answer. */
  readonly state?: 'draft' | 'submitted' | 'skipped' | 'cleared'
  readonly ended?: Ended
  readonly comment?: Comment
  readonly report?: Report
  readonly isFor: (person: Person) => boolean
}

/** How an ask ended; never with what. */
export interface Ended {
  readonly event: 'answered' | 'withdrawn' | 'expired'
  readonly response?: NonNullable<Ending['response']>
  readonly by?: string
  /** The rule that answered: one for the whole desk, or their own. */
  readonly rule?: string
  /** Why it was declined. */
  readonly reason?: string
}

/** An ending in the words of events: only a person answers, or a rule. */
export function endedOf(ending: Partial<Ending> | undefined): Ended {
  const { response, by, rule, reason, isExpired } = ending ?? {}
  if ((by ?? rule) === undefined || response === undefined) return { event: isExpired ? 'expired' : 'withdrawn' }
  const who = { ...(by !== undefined && { by }), ...(rule !== undefined && { rule }) }
  return { event: 'answered', response, ...who, ...(reason !== undefined && { reason }) }
}

/** What an event comes to: nothing, one thing, or many when a turn ends. */
export function happeningsOf({ event, before, after }: Happened): Happening[] {
  const { at } = event
  const by = event.by && { by: event.by.principal }
  const session = after ?? before
  if (session === undefined) return []
  switch (event.type) {
    case 'asked': {
      const ask = after?.open.get(event.request.id)
      return ask === undefined ? [] : [{ event: 'asked', at, session, ask, isFor: forThoseOf(ask) }]
    }
    case 'drafted': {
      const ask = after?.open.get(event.ask)
      if (ask === undefined) return []
      const state = event.answer?.state ?? 'cleared'
      return [{ event: 'drafted', at, session, ask, question: event.question, state, ...by, isFor: forThoseOf(ask) }]
    }
    case 'askEnded': {
      const ask = before?.open.get(event.ask)
      if (ask === undefined) return []
      const { response, reason, isExpired, rule } = event
      const answered = answeredBy(event)
      const who = answered === undefined ? {} : { by: answered }
      const why = { ...(reason !== undefined && { reason }), ...(isExpired && { isExpired }) }
      const ended = endedOf({ response, ...who, ...(rule !== undefined && { rule }), ...why })
      return [{ event: ended.event, at, session, ask, ended, ...who, isFor: forThoseOf(ask) }]
    }
    case 'commented': {
      const ask = after && findAsk(after, event.ask)
      if (ask === undefined || event.by === undefined) return []
      const comment = { by: event.by.principal, at, text: event.text }
      return [{ event: 'commented', at, session, ask, comment, ...by, isFor: forThoseOf(ask) }]
    }
    case 'reported':
      return before?.report === undefined ? reported(session) : []
    case 'delegated':
    case 'escalated': {
      const [was, is] = [before?.open.get(event.ask), after?.open.get(event.ask)]
      if (was === undefined || is === undefined) return []
      const [sawBefore, seesNow] = [forThoseOf(was), forThoseOf(is)]
      const ended = endedOf(undefined)
      return [
        { event: 'asked', at, session, ask: is, isFor: person => seesNow(person) && !sawBefore(person) },
        { event: ended.event, at, session, ask: was, ended, isFor: person => sawBefore(person) && !seesNow(person) },
      ]
    }
    case 'turnEnded':
    case 'truncated':
    case 'disposed': {
      const ended = endedOf(undefined)
      return [...(before?.open.values() ?? [])].map(ask => ({
        event: ended.event,
        at,
        session,
        ask,
        ended,
        isFor: forThoseOf(ask),
      }))
    }
    default:
      return []
  }
}

/** What is told of a session that nothing was known of: its open asks, and those that ended since. */
export function happeningsIn(session: Session, since: number): Happening[] {
  const open = [...session.open.values()].filter(({ askedAt }) => askedAt >= since)
  const ended = session.ended.filter(({ ending }) => (ending?.at ?? 0) >= since)
  return [
    ...open.map((ask): Happening => ({ event: 'asked', at: ask.askedAt, session, ask, isFor: forThoseOf(ask) })),
    ...ended.map((ask): Happening => {
      const how = endedOf(ask.ending)
      const by = how.by === undefined ? {} : { by: how.by }
      return { event: how.event, at: ask.ending?.at ?? 0, session, ask, ended: how, ...by, isFor: forThoseOf(ask) }
    }),
    ...((session.report?.at ?? 0) >= since ? reported(session) : []),
  ]
}

function reported(session: Session): Happening[] {
  const { report, ended } = session
  if (report === undefined) return []
  return ended.map(ask => ({ event: 'reported', at: report.at, session, ask, report, isFor: forThoseOf(ask) }))
}

function forThoseOf({ policy }: Ask): (person: Person) => boolean {
  return person => mayAnswer(policy, person)
}
