import type { Audience, Policy } from '../model/policy.js'
import type { Ask, Former, Session } from '../model/session.js'

/** What someone may do besides answering what they are asked. */
export type Role =
  /** Nothing. */
  | 'member'
  /** Sees every session and the whole audit, and changes and answers nothing. */
  | 'auditor'
  /** Sees and changes every session; answers what they are asked, as everyone does. */
  | 'admin'

/** Nobody in particular: whoever opened a link, or a program. */
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
export function mayAnswer({ audience, owner }: Policy, person: Person): boolean {
  if (person.role === 'auditor') return false
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
export function mightAnswer({ policy, former }: Ask, person: Person): boolean {
  if (former === undefined || policy.owner !== undefined) return false
  return former.audience === undefined || isIn(former.audience, person)
}

/** What someone saw last of an ask that is for others by now; undefined when it is for them, or never was. */
export function lastSeenBy(ask: Ask, person: Person): Former | undefined {
  return mightAnswer(ask, person) && !maySeeAsk(ask.policy, person) ? ask.former : undefined
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
    const { policy, former } = ask
    if (maySeeAsk(policy, person)) {
      // It came to those who were asked later behind what they had by then.
      return former === undefined || seesAll(person) || mightAnswer(ask, person)
        ? ask
        : { ...ask, number: former.number }
    }
    const last = lastSeenBy(ask, person)
    return last && { ...ask, drafts: last.drafts, ending: { response: 'cancel', at: last.at } }
  }
}

/** Whether an audience has someone in it. */
export function isIn({ principals = [], groups: wanted = [] }: Audience, { principal, groups = [] }: Person): boolean {
  return principals.includes(principal) || groups.some(group => wanted.includes(group))
}
