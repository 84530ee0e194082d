/** Who is asked: named principals, groups, or anyone on the desk. */
export interface DeskAudience {
  readonly principals?: readonly string[] | undefined
  readonly groups?: readonly string[] | undefined
}

/** Who answers, and what happens when nobody does. */
export interface AskPolicy {
  /** Who is asked, on the desk. Default: who called. */
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
   * `verified`: an accept counts only with a passkey of who gives it; a desk without passkeys refuses such an ask. `present`: only
   * a person accepts it, and no rule of the desk.
   */
  readonly person?: 'present' | 'verified' | undefined
  /** How it ends is signed by the desk. */
  readonly receipt?: boolean | undefined
}

/** Whether others than who called are asked: no client of theirs is here, so they are asked on the desk. */
export function asksOthers({ audience, quorum, escalation }: AskPolicy): boolean {
  return audience !== undefined || quorum !== undefined || escalation !== undefined
}

/**
 * What an author says about who answers, in one object; undefined where nothing is said.
 * @throws TypeError for what nobody could answer, before anybody is asked
 */
export function policyFrom(own: AskPolicy, tool: AskPolicy = nothingSaid): AskPolicy | undefined {
  if (tool === nothingSaid && !saysWho(own)) return undefined
  const { audience, requesterCounts, outlastsDecline, remindAfterMs, escalation, ...rest } = { ...tool, ...said(own) }
  // The caller is none of those who have to accept, also where that is only one.
  const { quorum = audience && 1 } = rest
  const policy = said({ audience, quorum, requesterCounts, outlastsDecline, remindAfterMs, escalation })
  if (Object.keys(policy).length === 0) return undefined
  checkPolicy(policy)
  return policy
}

/** @throws TypeError for what nobody could answer */
export function checkPolicy({ audience, quorum, escalation }: AskPolicy): void {
  if (audience !== undefined && isNobody(audience)) throw new TypeError('`audience` names nobody.')
  if (escalation !== undefined && isNobody(escalation.audience))
    throw new TypeError('`escalation.audience` names nobody.')
  if (quorum === undefined) return
  if (!Number.isInteger(quorum) || quorum < 1) throw new TypeError('`quorum` must be a whole number of people.')
  const { principals = [], groups = [] } = audience ?? { groups: ['anyone'] }
  if (groups.length === 0 && new Set(principals).size < quorum)
    throw new TypeError(`\`quorum\` is ${quorum}, and \`audience\` names fewer people.`)
}

const nothingSaid: AskPolicy = {}

/** Nearly every ask says nothing, and may have any other option beside. */
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

function said(policy: AskPolicy): AskPolicy {
  return Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined))
}
