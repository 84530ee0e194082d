import type { Audience, Policy, StandIns } from '../model/policy.js'
import type { Ask, Former, Session } from '../model/session.js'

/** What someone may do besides answering what they are asked. */
export type Role =
  /** Nothing. */
  | 'member'
  /** Sees every session and the whole audit, and changes and answers nothing. */
  | 'auditor'
  /** Sees and changes every session; answers what they are asked, as everyone does. */
  | 'admin'

/** Nobody in particular: someone who opened a link, or a program. */
export const nobodyInParticular = 'local'

/** Someone as the desk knows them. */
export interface Person {
  readonly principal: string
  readonly groups?: readonly string[]
  /** Default: member. */
  readonly role?: Role
  /** An address for e-mail that is proved to be theirs. */
  readonly email?: string
}

/** A person on one of their devices. */
export interface Viewer extends Person {
  readonly device: string
}

/** Whether someone may answer an ask. */
export function mayAnswer({ audience, owner, handedOn }: Policy, person: Person): boolean {
  if (person.role === 'auditor' || handedOn?.includes(person.principal)) return false
  if (owner !== undefined) return person.principal === owner
  return audience === undefined || isIn(audience, person)
}

/** Whether someone may see an ask in its session: those who may answer it, and those who see everything. */
export function maySeeAsk(policy: Policy, person: Person): boolean {
  return seesAll(person) || mayAnswer(policy, person)
}

/** Whether someone sees every session. */
export function seesAll({ role }: Person): boolean {
  return role === 'admin' || role === 'auditor'
}

/** Whether an ask was for someone before others were asked instead. */
export function mightAnswer(ask: Pick<Ask, 'policy' | 'formers'>, person: Person): boolean {
  return formerOf(ask, person) !== undefined
}

/** The last time that an ask was for someone before others were asked instead. */
function formerOf({ policy, formers = [] }: Pick<Ask, 'policy' | 'formers'>, person: Person): Former | undefined {
  return policy.owner === undefined ? formers.findLast(former => wasIn(former, person)) : undefined
}

function wasIn({ audience, handedOn }: Former, person: Person): boolean {
  if (handedOn?.includes(person.principal)) return false
  return audience === undefined || isIn(audience, person)
}

/** What someone saw last of an ask that is for others by now; undefined when it is for them, or never was. */
export function lastSeenBy(ask: Ask, person: Person): Former | undefined {
  return maySeeAsk(ask.policy, person) ? undefined : formerOf(ask, person)
}

/** Whether a session is there for someone: their own, one that is for them, one that asks or asked them something. */
export function maySee(session: Session | undefined, person: Person): session is Session {
  if (session === undefined) return false
  if (isListedFor(session, person)) return true
  for (const ask of session.open.values()) if (mayAnswer(ask.policy, person) || mightAnswer(ask, person)) return true
  return session.ended.some(ask => mayAnswer(ask.policy, person) || mightAnswer(ask, person))
}

/** Whether a session is someone's whatever it asks: their own, one that is for them, or they see everything. */
export function isListedFor({ owner, audience }: Session, person: Person): boolean {
  if (seesAll(person) || owner === person.principal || audience === 'anyone') return true
  return audience !== undefined && isIn(audience, person)
}

/** Whether someone may change a session that they see: not who only looks, nor who was asked before others were instead. */
export function mayChange(session: Session, person: Person): boolean {
  if (person.role === 'auditor') return false
  const asks = [...session.open.values(), ...session.ended]
  return isListedFor(session, person) || asks.some(({ policy }) => mayAnswer(policy, person))
}

/** Whether someone may end what is open in a session: its owner, an admin, or who could end each ask alone. */
export function mayEndTurn(session: Session, person: Person): boolean {
  if (!mayChange(session, person)) return false
  if (person.role === 'admin' || session.owner === person.principal) return true
  return [...session.open.values()].every(
    ({ policy }) => mayAnswer(policy, person) && !(policy.quorum !== undefined && policy.outlastsDecline),
  )
}

/** Whether someone may have a session forgotten. That of a call is the record of its answers: only an admin may. */
export function mayDispose(session: Session, person: Person): boolean {
  return session.isCall ? person.role === 'admin' : mayEndTurn(session, person)
}

/** An ask as someone sees it: one that is for others by now was withdrawn; undefined when they do not see it at all. */
export type SeenAsk = (ask: Ask) => Ask | undefined

export function seenBy(person: Person): SeenAsk {
  return ask => {
    const { policy, formers = [] } = ask
    if (maySeeAsk(policy, person)) {
      const number = seesAll(person) ? ask.number : placeFor(ask, formers, person)
      return number === ask.number ? ask : { ...ask, number }
    }
    const last = lastSeenBy(ask, person)
    if (last === undefined) return undefined
    return asLastSeen(ask, last, placeFor(ask, formers.slice(0, formers.indexOf(last)), person))
  }
}

/** What was said since, and who is asked now, is for others. */
function asLastSeen(ask: Ask, { audience, handedOn, drafts, comments, at }: Former, number: number): Ask {
  const { audience: _, handedOn: __, standIns: ___, ...policy } = ask.policy
  return {
    ...ask,
    number,
    policy: { ...policy, ...(audience && { audience }), ...(handedOn && { handedOn }) },
    comments: ask.comments?.slice(0, comments) ?? [],
    approvals: [],
    drafts,
    ending: { response: 'cancel', at },
  }
}

/** The place of an ask to someone: to those who were asked later it came behind what they had by then. */
function placeFor({ number }: Ask, formers: readonly Former[], person: Person): number {
  return formers.findLast(former => !wasIn(former, person))?.number ?? number
}

/** Whether an audience has someone in it. */
export function isIn({ principals = [], groups: wanted = [] }: Audience, { principal, groups = [] }: Person): boolean {
  return principals.includes(principal) || groups.some(group => wanted.includes(group))
}

/** Whom an ask is for, as those see it who may answer; undefined for anyone, and for a page about who someone is. */
export function audienceOf({ audience, owner, standIns = {} }: Policy): NamedAudience | undefined {
  if (audience === undefined || owner !== undefined) return undefined
  const { principals = [], groups = [] } = audience
  return {
    ...(principals.length > 0 && { principals }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(standIns).length > 0 && { standIns }),
  }
}

export interface NamedAudience {
  readonly principals?: readonly string[]
  readonly groups?: readonly string[]
  /** Those of the principals who stand in for someone, and for whom. */
  readonly standIns?: StandIns
}

/** Whether an ask is for someone by name, and not as one of a group, or of all. */
export function isNamedIn({ audience, owner }: Policy, { principal }: Person): boolean {
  return owner === principal || audience?.principals?.includes(principal) === true
}
