// Standing rules: admins make and remove those of the whole desk; everyone has their own, and sees and removes no others.
import { type DryRun, dryRun } from '../../dry-run/dry-run.js'
import { mayAnswer, seesAll, type Viewer } from '../../policy/audience.js'
import { onlyLooks, type Refusal } from '../../policy/refusals.js'
import type { Rule } from '../../rules/rule.js'
import type { DeskView } from '../desk-view.js'
import { json, type RestResponse } from '../exchange.js'
import { isRecord } from '../is-record.js'
import { problem } from '../problem.js'
import type { Matched } from '../router.js'

export async function listRules({ rules }: DeskView, { viewer }: Matched): Promise<RestResponse> {
  return json(200, { rules: await rules.list(seesAll(viewer) ? {} : { owner: viewer.principal }) })
}

export async function addRule(desk: DeskView, { viewer, body }: Matched): Promise<RestResponse> {
  if (viewer.role === 'auditor') return problem('not-allowed', onlyLooks.reason)
  const wanted = wantedIn(viewer, body)
  const draft = desk.rules.draft(wanted.rule, wanted)
  if ('code' in draft) return refused(draft)
  const silent = await allowedSilently(desk, viewer, draft)
  if (silent !== undefined) return problem('rule-invalid', silent)
  const { principal, device } = viewer
  const added = await desk.rules.add(wanted.rule, { ...wanted, by: { principal, device } })
  return 'code' in added ? refused(added) : json(201, added)
}

export async function removeRule({ rules }: DeskView, { viewer, param }: Matched): Promise<RestResponse> {
  const { principal, device, role } = viewer
  if (role === 'auditor') return problem('not-allowed', onlyLooks.reason)
  const whose = role === 'admin' ? {} : { owner: principal }
  const isRemoved = await rules.remove(param('id'), { by: { principal, device }, ...whose })
  return isRemoved ? json(200, {}) : problem('not-found', 'There is no such rule that you could remove.')
}

export async function tryRule(desk: DeskView, { viewer, body }: Matched): Promise<RestResponse> {
  const wanted = wantedIn(viewer, body)
  const draft = desk.rules.draft(wanted.rule, wanted)
  return 'code' in draft ? refused(draft) : json(200, await tried(desk, viewer, draft))
}

interface WantedRule {
  readonly rule: unknown
  readonly owner?: string
}

/** The rule in a body, and whose it would be: an admin's is for the whole desk unless they say that it is their own. */
function wantedIn({ role, principal }: Viewer, body: unknown): WantedRule {
  if (!isRecord(body)) return { rule: body }
  const { own, ...rule } = body
  const isGeneral = role === 'admin' || role === 'auditor' ? own !== true : false
  // What is neither true nor false is not understood, as everything else in a rule that is not.
  const given = own === undefined || typeof own === 'boolean' ? rule : body
  return isGeneral ? { rule: given } : { rule: given, owner: principal }
}

/** Tries a rule on what someone may see; their own, on what they were asked. */
function tried({ audit, sessions, now, rules }: DeskView, viewer: Viewer, rule: Rule): Promise<DryRun> {
  const isSeen = seesAll(viewer) && rule.owner === undefined
  return dryRun({ audit, sessions, now, groupsOf: rules.groupsOf }, rule, (_session, { policy }) =>
    isSeen ? true : mayAnswer(policy, viewer),
  )
}

/** Why an allow is refused that is about a call that can destroy something, and does not say so. */
async function allowedSilently(desk: DeskView, viewer: Viewer, rule: Rule): Promise<string | undefined> {
  if (rule.effect !== 'allow' || rule.match.destructive !== undefined) return undefined
  const { matched } = await tried(desk, viewer, rule)
  const silent = matched.find(({ isRefused }) => isRefused)
  return (
    silent &&
    `"${silent.tool}" of ${silent.server} can destroy something, and this would allow it without saying so. ` +
      'Write "destructive": true in "match" if you mean that, or false if you do not.'
  )
}

function refused({ code, reason }: Refusal): RestResponse {
  return problem(code === 'recorded' ? 'conflict' : code, reason)
}
