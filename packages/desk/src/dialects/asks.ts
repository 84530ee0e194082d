// The asks of every session on one channel of our own, the same in every dialect.
import type { AskEntry, AsksAction } from '@beckon/core/asks'
import type { EventOf } from '../model/events.js'
import type { Happened } from '../model/happened.js'
import type { Policy } from '../model/policy.js'
import { answeredBy, findAsk } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'
import { approvalOf, type MembersOf } from '../policy/approval.js'
import { audienceOf, mayAnswer, mightAnswer, type Person, type SeenAsk } from '../policy/audience.js'
import { encodeRequest } from './states.js'

/** An action on the channel of all asks, and to whom. */
export interface AsksTold {
  /** Made when it is told: on most nodes there is nobody whom an ask is for. */
  readonly action: () => AsksAction
  /** The asks that it is about: the person it is for is asked one of these, or was. */
  readonly about: readonly Ask[]
  readonly isFor: (person: Person) => boolean
}

/** What an event is on the channel of all asks. */
export function asksActions({ id, event, before, after }: Happened, membersOf: MembersOf): AsksTold[] {
  if (before === after) return []
  const { at, by } = event
  const who = by && { by: by.principal }
  switch (event.type) {
    case 'asked': {
      const ask = after?.open.get(event.request.id)
      return after === undefined || ask === undefined ? [] : [asked(after, ask, membersOf)]
    }
    case 'drafted': {
      const { ask: requestId, question: questionId, answer } = event
      const action = { session: id, requestId, questionId, ...(answer !== undefined && { answer }), ...who }
      return toldOf(before?.open.get(requestId), () => ({ type: 'asks/answerChanged', ...action }))
    }
    case 'askEnded':
      return toldOf(before?.open.get(event.ask), () => askEnded(id, event, after, membersOf))
    case 'approved':
    case 'approvalWithdrawn': {
      const ask = after?.open.get(event.ask)
      return ask === undefined ? [] : toldOf(ask, () => peopleChanged(id, ask, membersOf))
    }
    case 'commented': {
      const ask = after && findAsk(after, event.ask)
      const comment = { by: by?.principal ?? '', at, text: event.text }
      return toldOf(ask, () => ({ type: 'asks/commented', session: id, requestId: event.ask, comment }))
    }
    case 'reported':
      return after === undefined ? [] : reported(after)
    case 'delegated':
    case 'escalated': {
      const [was, is] = [before?.open.get(event.ask), after?.open.get(event.ask)]
      if (after === undefined || was === undefined || is === undefined) return []
      const sawBefore = (person: Person) => mayAnswer(was.policy, person)
      const seesNow = (person: Person) => mayAnswer(is.policy, person)
      const ended: AsksAction = {
        type: 'asks/ended',
        session: id,
        requestId: is.id,
        ending: { response: 'cancel', at },
      }
      return [
        { ...asked(after, is, membersOf), isFor: person => seesNow(person) && !sawBefore(person) },
        {
          action: () => peopleChanged(id, is, membersOf),
          about: [is],
          isFor: person => seesNow(person) && sawBefore(person),
        },
        { action: () => ended, about: [was], isFor: person => sawBefore(person) && !seesNow(person) },
      ]
    }
    case 'turnEnded':
      return turnEnded(id, event.state, at, before)
    case 'truncated':
      return turnEnded(id, 'cancelled', at, before)
    default:
      return []
  }
}

/** A session's asks as they are now, for those who may not know them: open ones, and those that ended since. */
export function entriesOf(session: Session, since: number, membersOf: MembersOf): AsksTold[] {
  const ended = session.ended.filter(({ ending }) => (ending?.at ?? 0) >= since)
  return [
    ...[...session.open.values()].map(ask => asked(session, ask, membersOf)),
    ...ended.flatMap(ask =>
      toldOf(ask, () => ({
        type: 'asks/ended',
        session: session.id,
        requestId: ask.id,
        ending: endingOf(ask) ?? { at: since },
      })),
    ),
    ...((session.report?.at ?? 0) >= since ? reported(session) : []),
  ]
}

/** What came of a call, for those who may see one of its asks. */
function reported({ id: session, report, open, ended }: Session): AsksTold[] {
  if (report === undefined) return []
  const asks = [...open.values(), ...ended]
  const isFor = (person: Person) => asks.some(({ policy }) => mayAnswer(policy, person))
  return [{ action: () => ({ type: 'asks/reported', session, report }), about: asks, isFor }]
}

/** An ask as someone sees it; undefined when they do not. */
export function encodeEntry(
  session: Session,
  ask: Ask,
  { seen, membersOf }: { readonly seen: SeenAsk; readonly membersOf: MembersOf },
): AskEntry | undefined {
  const shown = seen(ask)
  if (shown === undefined) return undefined
  const turn = session.turns.find(({ id }) => id === ask.turn)
  const ending = endingOf(shown)
  const entry = entryOf(session, shown, membersOf)
  const { report: _, approval: __, ...withoutNews } = entry
  // Those who are not asked any more know how it was until then.
  const known = shown.ending === ask.ending ? entry : withoutNews
  return { ...known, ...(ending && { ending }), ...(turn && { turn: turn.state }) }
}

function entryOf({ id: session, server, title, report }: Session, ask: Ask, membersOf: MembersOf): AskEntry {
  const { expiresAt, quorum = 1 } = ask.policy
  const { askedAt, comments = [] } = ask
  return {
    session,
    server,
    title,
    request: encodeRequest(ask),
    askedAt,
    expiresAt,
    ...(quorum > 1 && { quorum }),
    ...peopleOf(ask, membersOf),
    ...(comments.length > 0 && { comments }),
    ...(report && { report }),
  }
}

function peopleOf(ask: Ask, membersOf: MembersOf): Pick<AskEntry, 'to' | 'approval'> {
  const to = audienceOf(ask.policy)
  const approval = approvalOf(ask, membersOf)
  return { ...(to && { to }), ...(approval && { approval }) }
}

function peopleChanged(session: string, ask: Ask, membersOf: MembersOf): AsksAction {
  return { type: 'asks/peopleChanged', session, requestId: ask.id, ...peopleOf(ask, membersOf) }
}

function endingOf({ ending }: Ask): AskEntry['ending'] {
  if (ending === undefined) return undefined
  const { isExpired, ...rest } = ending
  return isExpired ? { ...rest, reason: 'expired' } : rest
}

function asked(session: Session, ask: Ask, membersOf: MembersOf): AsksTold {
  return {
    action: () => ({ type: 'asks/asked', ask: entryOf(session, ask, membersOf) }),
    about: [ask],
    isFor: whoMayAnswer(ask.policy),
  }
}

/** For those who knew an ask of the turn: a person who knows of none learns nothing. */
function turnEnded(
  session: string,
  turn: 'complete' | 'cancelled' | 'error',
  at: number,
  before: Session | undefined,
): AsksTold[] {
  const active = before?.activeTurn?.id
  const asks = [...(before?.open.values() ?? []), ...(before?.ended.filter(ask => ask.turn === active) ?? [])]
  return [{ action: () => ({ type: 'asks/turnEnded', session, turn, at }), about: asks, isFor: whoKnew(asks) }]
}

function askEnded(
  session: string,
  event: EventOf<'askEnded'>,
  after: Session | undefined,
  membersOf: MembersOf,
): AsksAction {
  const { at, ask: requestId, response, answers, reason, isExpired, rule } = event
  const why = isExpired ? { reason: 'expired' } : reason === undefined ? {} : { reason }
  const answered = answeredBy(event)
  const whose = { ...(answered !== undefined && { by: answered }), ...(rule !== undefined && { rule }) }
  const ending = { response, at, ...whose, ...why }
  const ended = after && findAsk(after, requestId)
  const approval = ended && approvalOf(ended, membersOf)
  const action = { session, requestId, ending, ...(answers && { answers }), ...(approval && { approval }) }
  return { type: 'asks/ended', ...action }
}

function toldOf(ask: Ask | undefined, action: () => AsksAction): AsksTold[] {
  return ask === undefined ? [] : [{ action, about: [ask], isFor: whoMayAnswer(ask.policy) }]
}

/** What was told is kept with this for a while, and with nothing else of the asks. */
function whoKnew(asks: readonly Ask[]): (person: Person) => boolean {
  const those = asks.map(({ policy, formers = [] }) => ({ policy, formers }))
  return person => those.some(ask => mayAnswer(ask.policy, person) || mightAnswer(ask, person))
}

/** The same, of one ask. */
function whoMayAnswer(policy: Policy): (person: Person) => boolean {
  return person => mayAnswer(policy, person)
}
