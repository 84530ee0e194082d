// Which past calls a rule would have been about. The audit says which asks there were; it has the arguments of calls as digests, so
// that they are read from the sessions, which are kept for a while. What is looked at is bounded, and the reply says how far it
// looked.
import { subjectOf } from '../asks/ask-view.js'
import type { Audit } from '../audit/audit.js'
import { tokenOfCaller } from '../index/tokens.js'
import { findAsk } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'
import type { GroupsOf } from '../people/directory.js'
import { allowsSilently } from '../rules/decide.js'
import { matches } from '../rules/matches.js'
import type { Rule, RuledCall } from '../rules/rule.js'
import type { Sessions } from '../sessions/sessions.js'

export interface DryRunDeps {
  readonly audit: Pick<Audit, 'entries'>
  readonly sessions: Sessions
  readonly groupsOf?: GroupsOf | undefined
  readonly now: () => number
}

/** A call that a rule would have been about. */
export interface MatchedCall {
  readonly session: string
  readonly id: string
  readonly server: string
  readonly tool: string
  readonly arguments?: unknown
  readonly askedAt: number
  /** It can destroy something, and the rule allows it without saying so: it would have been asked about. */
  readonly isRefused?: true
}

export interface DryRun {
  /** The last of them, the newest first. */
  readonly matched: readonly MatchedCall[]
  readonly matchedCount: number
  /** How many calls were looked at. */
  readonly looked: number
  /** From when on; later, where there was more than one dry run looks at. */
  readonly since: number
  /** Until when; absent when it looked at everything since. */
  readonly searchedTo?: number
}

const weekMs = 7 * 24 * 60 * 60 * 1000
const maxEntries = 20_000
const maxCalls = 2_000
const maxShown = 100

/** Tries a rule on the calls of the last seven days that `mayLook` lets see. */
export async function dryRun(
  { audit, sessions, groupsOf, now }: DryRunDeps,
  rule: Rule,
  mayLook: (session: Session, ask: Ask) => boolean = () => true,
): Promise<DryRun> {
  const since = now() - weekMs
  const matched: MatchedCall[] = []
  let [entries, looked] = [0, 0]
  let searchedTo: number | undefined
  for await (const { entry } of audit.entries({ since })) {
    if (++entries > maxEntries || looked >= maxCalls) {
      searchedTo = entry.at
      break
    }
    if (entry.event !== 'asked' || entry.tool === undefined || entry.request === undefined) continue
    const session = await sessions.load(entry.session)
    const ask = session && findAsk(session, entry.request)
    if (session === undefined || ask === undefined || !mayLook(session, ask)) continue
    const { kind, tool, id, server, arguments: input, askedAt } = subjectOf({ session, ask })
    // Also whether a call may run, with a form in which its arguments could be changed.
    const isRuled = kind === 'confirm' || (kind === 'form' && ask.request._meta?.['beckon/approves'] === true)
    if (!isRuled || tool === undefined) continue
    looked++
    const call = await callOf(rule, { session, ask }, groupsOf)
    if (!matches(rule.match, call)) continue
    const isRefused = allowsSilently(rule, call)
    const about = { server, tool, ...(input !== undefined && { arguments: input }), askedAt }
    matched.unshift({ session: session.id, id, ...about, ...(isRefused && { isRefused }) })
  }
  const shown = matched.slice(0, maxShown)
  return {
    matched: shown,
    matchedCount: matched.length,
    looked,
    since,
    ...(searchedTo !== undefined && { searchedTo }),
  }
}

/** Who called is known to the ask as a token, also where it is nobody's session. */
async function callOf(
  { match }: Rule,
  { session, ask }: { session: Session; ask: Ask },
  groupsOf: GroupsOf | undefined,
): Promise<RuledCall> {
  const { server, tool, arguments: input, destructive, readOnly } = subjectOf({ session, ask })
  const isCaller = match.principal !== undefined && ask.caller === tokenOfCaller(match.principal)
  const principal = isCaller ? match.principal : session.owner
  const groups = match.group === undefined || principal === undefined ? undefined : await groupsOf?.(principal)
  return { server, tool, input, destructive, readOnly, principal, groups }
}
