import type { Audience, Policy } from '../model/policy.js'
import type { Ask, Former, Session } from '../model/session.js'

/** Someone as the desk knows them. */
export interface Person {
  readonly principal: string
  readonly groups?: readonly string[]
}

/** A person on one of their devices. */
export interface Viewer extends Person {
  readonly device: string
}

/** Whether someone may see and answer an ask. */
export function mayAnswer({ audience, owner }: Policy, person: Person): boolean {
  if (owner !== undefined) return person.principal === owner
  return audience === undefined || isIn(audience, person)
}

/** Whether an ask was for someone before others were asked instead. */
export function mightAnswer({ policy, former }: Ask, person: Person): boolean {
  if (former === undefined || policy.owner !== undefined) return false
  return former.audience === undefined || isIn(former.audience, person)
}

/** What someone saw last of an ask that is for others by now; undefined when it is for them, or never was. */
export function lastSeenBy(ask: Ask, person: Person): Former | undefined {
  return mightAnswer(ask, person) && !mayAnswer(ask.policy, person) ? ask.former : undefined
}

/** Whether someone may look at a session: one that somebody made, or a call that asks, or asked, them something. */
export function maySee(session: Session | undefined, person: Person): session is Session {
  if (session === undefined) return false
  if (!session.isCall) return true
  for (const ask of session.open.values()) if (mayAnswer(ask.policy, person) || mightAnswer(ask, person)) return true
  return session.ended.some(ask => mayAnswer(ask.policy, person) || mightAnswer(ask, person))
}

/** An ask as someone sees it: one that is for others by now was withdrawn; undefined when they do not see it at all. */
export type SeenAsk = (ask: Ask) => Ask | undefined

export function seenBy(person: Person): SeenAsk {
  return ask => {
    const { policy, former } = ask
    if (mayAnswer(policy, person)) {
      // It came to those who were asked later behind what they had by then.
      return former === undefined || mightAnswer(ask, person) ? ask : { ...ask, number: former.number }
    }
    const last = lastSeenBy(ask, person)
    return last && { ...ask, drafts: last.drafts, ending: { response: 'cancel', at: last.at } }
  }
}

function isIn({ principals = [], groups: wanted = [] }: Audience, { principal, groups = [] }: Person): boolean {
  return principals.includes(principal) || groups.some(group => wanted.includes(group))
}
