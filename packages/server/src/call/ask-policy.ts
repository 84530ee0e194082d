import { given } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'

/** Who is asked: named principals, groups, or anyone on the desk. */
export interface DeskAudience {
  readonly principals?: readonly string[] | undefined
  readonly groups?: readonly string[] | undefined
}

/** Who answers, and what happens when nobody does. */
export interface AskPolicy {
  /** Who is asked, on the desk. Default: the caller. */
  readonly audience?: DeskAudience | undefined
  /** How many different people have to accept the same. */
  readonly quorum?: number | undefined
  /** The caller may be one of them. */
  readonly requesterCounts?: boolean | undefined
  /** A decline does not end a quorum. */
  readonly outlastsDecline?: boolean | undefined
  /** When to remind, after the ask was opened. */
  readonly remindAfterMs?: readonly number[] | undefined
  /** Whom to ask instead, and when. */
  readonly escalation?: { readonly afterMs: number; readonly audience: DeskAudience } | undefined
}

/** The same for an ask on a desk. */
export interface DeskPolicy extends AskPolicy {
  /**
   * `verified`: an accept counts only with a passkey of the person who accepts; a desk without passkeys refuses such an ask. `present`: only
   * a person accepts it, and no rule of the desk.
   */
  readonly person?: 'present' | 'verified' | undefined
  /** The desk signs its outcome. */
  readonly receipt?: boolean | undefined
}

/** Whether people other than the caller are asked: they have no client here, so they are asked on the desk. */
export function asksOthers({ audience, quorum, escalation }: AskPolicy): boolean {
  return audience !== undefined || quorum !== undefined || escalation !== undefined
}

/**
 * The author's options about who answers, in one object; undefined where there are none.
 * @throws TypeError for a policy that nobody could satisfy, before anybody is asked
 */
export function policyFrom(own: AskPolicy, tool: AskPolicy = nothingSaid): AskPolicy | undefined {
  if (tool === nothingSaid && !saysWho(own)) return undefined
  const { audience, requesterCounts, outlastsDecline, remindAfterMs, escalation, ...rest } = { ...tool, ...given(own) }
  // The caller is not among those who have to accept, even where one accept is enough.
  const { quorum = audience && 1 } = rest
  const policy = given({ audience, quorum, requesterCounts, outlastsDecline, remindAfterMs, escalation })
  if (Object.keys(policy).length === 0) return undefined
  checkPolicy(policy)
  return policy
}

/** @throws TypeError for a policy that nobody could satisfy */
export function checkPolicy({ audience, quorum, escalation }: AskPolicy): void {
  if (audience !== undefined) checkAudience(audience, '`audience`')
  if (escalation !== undefined) checkAudience(escalation.audience, '`escalation.audience`')
  if (quorum === undefined) return
  if (!Number.isInteger(quorum) || quorum < 1) throw new TypeError('`quorum` must be a whole number of people.')
  const { principals = [], groups = [] } = audience ?? { groups: ['anyone'] }
  if (groups.length === 0 && new Set(principals).size < quorum)
    throw new TypeError(`\`quorum\` is ${quorum}, and \`audience\` names fewer people.`)
}

/** Every option of a policy, and no other: a record, so that the compiler misses none. */
const policyOptions: Record<keyof AskPolicy, true> = {
  audience: true,
  quorum: true,
  requesterCounts: true,
  outlastsDecline: true,
  remindAfterMs: true,
  escalation: true,
}

/** @throws TypeError for an approval of a tool that is not one, since the caller alone would give it */
export function checkApproval(approval: AskPolicy): void {
  const options = Object.keys(policyOptions).join(', ')
  if (!isRecord(approval)) throw new TypeError(`\`approval\` must be an object with some of ${options}.`)
  const unknown = Object.keys(approval).find(key => !Object.hasOwn(policyOptions, key))
  if (unknown !== undefined) throw new TypeError(`\`approval\` has no option "${unknown}". Write one of ${options}.`)
  if (!saysWho(approval)) throw new TypeError(`\`approval\` is empty. Say who approves: \`audience\` or \`quorum\`.`)
  checkPolicy(approval)
}

function checkAudience(audience: DeskAudience, name: string): void {
  const lists = isRecord(audience) ? [audience.principals ?? [], audience.groups ?? []] : [undefined]
  if (!lists.every(list => Array.isArray(list) && list.every(one => typeof one === 'string')))
    throw new TypeError(`${name} must be { principals: [...], groups: [...] }, with lists of strings.`)
  if (isNobody(audience)) throw new TypeError(`${name} names nobody. List at least one principal or group.`)
}

const nothingSaid: AskPolicy = {}

/** Nearly every ask has no policy, whatever other options it has: this check is cheap. */
function saysWho({
  audience,
  quorum,
  requesterCounts,
  outlastsDecline,
  remindAfterMs,
  escalation,
}: AskPolicy): boolean {
  const whom = audience !== undefined || quorum !== undefined || escalation !== undefined
  return whom || requesterCounts !== undefined || outlastsDecline !== undefined || remindAfterMs !== undefined
}

function isNobody({ principals = [], groups = [] }: DeskAudience): boolean {
  return principals.length + groups.length === 0
}
