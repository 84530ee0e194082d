import type { InputRequest } from '@beckon/core/chat'

/** Who may answer: named principals, groups, or anyone on this desk. */
export interface Audience {
  readonly principals?: readonly string[]
  readonly groups?: readonly string[]
}

/** What holds for an ask beside its questions. It is kept with the ask, and never sent to a client. */
export interface Policy {
  /** Absent: anyone on this desk. */
  readonly audience?: Audience
  /** How many different people have to accept a confirm. */
  readonly quorum?: number
  /** A decline does not end a quorum. */
  readonly outlastsDecline?: boolean
  /** Milliseconds. */
  readonly expiresAt: number
  /** When to remind whoever may answer, in milliseconds. */
  readonly remindAt?: readonly number[]
  /** When to ask others instead, in milliseconds. */
  readonly escalation?: { readonly at: number; readonly audience: Audience }
  /** About someone's own authorization: nobody else may answer it, whatever else is said. */
  readonly owner?: string
  /** Whom it was for before others were asked instead. */
  readonly former?: Former
}

/** Those who were asked first, and what they saw last. */
export interface Former {
  /** Absent: anyone on this desk. */
  readonly audience?: Audience
  /** With its drafts. */
  readonly request: InputRequest
  /** When others were asked, in milliseconds. */
  readonly at: number
}

/** Of an ask that is for others than it was. */
export interface EscalatedPolicy extends Policy {
  readonly former: Former
}

/** Someone as the desk knows them. */
export interface Person {
  readonly principal: string
  readonly groups?: readonly string[]
}

/** Whether someone may see and answer an ask. */
export function mayAnswer({ audience, owner }: Policy, { principal, groups = [] }: Person): boolean {
  if (owner !== undefined) return principal === owner
  if (audience === undefined) return true
  const { principals = [], groups: wanted = [] } = audience
  return principals.includes(principal) || groups.some(group => wanted.includes(group))
}

/** Whom an ask was for before others were asked instead; undefined when they were not. */
export function policyBefore({ former, audience: _, ...rest }: Policy): Policy | undefined {
  return former && { ...rest, ...(former.audience && { audience: former.audience }) }
}

/** What someone saw last of an ask that is for others by now; undefined when it is for them, or never was. */
export function lastSeenBy(policy: Policy, person: Person): Former | undefined {
  const before = policyBefore(policy)
  return before && mayAnswer(before, person) && !mayAnswer(policy, person) ? policy.former : undefined
}

/** The policy of an ask once others are asked instead; undefined when nobody else is to be. */
export function escalated(policy: Policy, request: InputRequest, at: number): EscalatedPolicy | undefined {
  const { escalation, audience, ...rest } = policy
  if (escalation === undefined) return undefined
  return { ...rest, audience: escalation.audience, former: { ...(audience && { audience }), request, at } }
}
