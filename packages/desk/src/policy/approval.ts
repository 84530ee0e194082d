import { placeOf } from '../model/audience.js'
import type { Ask } from '../model/session.js'

/** Who is in a group. */
export interface Members {
  readonly people: readonly string[]
  /** False where there may be others, whom nobody can name. */
  readonly isAll: boolean
}

/** Undefined where nobody can say anything of a group. */
export type MembersOf = (group: string) => Members | undefined

/** Who has accepted an ask, and who has not yet. */
export interface AskApproval {
  readonly of: number
  readonly by: readonly string[]
  readonly missing: readonly string[]
  /** Groups of which nobody can name every member. */
  readonly groups?: readonly string[]
  /** Who called, where they are asked with others: they do not count. */
  readonly requester?: string
}

/** A list of people is for reading: so many of those who are missing are named. */
const maxNamed = 50

/** How far an ask is where it says how many have to accept; undefined where it does not. */
export function approvalOf(ask: Ask, membersOf: MembersOf): AskApproval | undefined {
  const { policy, approvals, ending } = ask
  const { quorum, audience = {}, requester, handedOn = [] } = policy
  if (quorum === undefined) return undefined
  const counted = approvals.filter(({ digest }) => ending?.digest === undefined || ending.digest === digest)
  const last = ending?.response === 'accept' && ending.by !== undefined ? [ending.by] : []
  const by = [...new Set([...counted.map(({ principal }) => principal), ...last])]
  if (ending !== undefined) return { of: quorum, by, missing: [] }
  const { principals = [], groups = [] } = audience
  const taken = new Set(by.map(principal => placeOf(policy, principal)))
  const people = new Set([...principals, ...groups.flatMap(group => membersOf(group)?.people ?? [])])
  const mayCount = (person: string) => person !== requester && placeOf(policy, person) !== requester
  const missing = [...people].filter(
    person => mayCount(person) && !taken.has(placeOf(policy, person)) && !handedOn.includes(person),
  )
  const unnamed = groups.filter(group => membersOf(group)?.isAll !== true)
  const isAmongThem =
    requester !== undefined && (policy.audience === undefined || unnamed.length > 0 || people.has(requester))
  return {
    of: quorum,
    by,
    missing: missing.slice(0, maxNamed),
    ...(unnamed.length > 0 && { groups: unnamed }),
    ...(isAmongThem && { requester }),
  }
}
