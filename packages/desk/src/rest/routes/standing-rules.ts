// Standing rules: admins make and remove those of the whole desk; everyone has their own, and sees and removes no others.
import { isRecord } from '@beckon/core/json-rpc'
import type { Refusal } from '@beckon/core/live'
import { type DryRun, dryRun } from '../../dry-run/dry-run.js'
import { mayAnswer, seesAll, type Viewer } from '../../policy/audience.js'
import { readOnly } from '../../policy/refusals.js'
import { whyRefused } from '../../rules/destructive-tools.js'
import type { Rule } from '../../rules/rule.js'
import type { DeskView } from '../desk-view.js'
import { json, type RestResponse } from '../exchange.js'
import { routesFor } from '../openapi/operations.js'
import { ruleOperations } from '../openapi/rule-operations.js'
import { problem } from '../problem.js'
import type { Matched, Route } from '../router.js'

/** Everything that can be requested about rules. */
export function ruleRoutes(desk: DeskView): readonly Route[] {
  /** Those who wait for a dry run: each reads much of what there was. */
  const trying = new Set<string>()

  async function list({ viewer }: Matched): Promise<RestResponse> {
    return json(200, { rules: await desk.rules.list(seesAll(viewer) ? {} : { owner: viewer.principal }) })
  }

  async function add({ viewer, body }: Matched): Promise<RestResponse> {
    if (viewer.role === 'auditor') return problem(readOnly)
    const wanted = wantedIn(viewer, body)
    const draft = desk.rules.draft(wanted.rule, wanted)
    if ('code' in draft) return problem(draft)
    const mayDestroy = draft.effect === 'allow' && draft.match.destructive === undefined
    const tried = mayDestroy ? await tryOut(viewer, draft) : undefined
    if (tried !== undefined && 'code' in tried) return problem(tried)
    const silent = tried?.matched.find(({ isRefused }) => isRefused)
    if (silent !== undefined) return problem({ code: 'rule-invalid', params: { detail: whyRefused(silent) } })
    const { principal, device } = viewer
    const added = await desk.rules.add(wanted.rule, { ...wanted, by: { principal, device } })
    return 'code' in added ? problem(added) : json(201, added)
  }

  async function remove({ viewer, param }: Matched): Promise<RestResponse> {
    const { principal, device, role } = viewer
    if (role === 'auditor') return problem(readOnly)
    const whose = role === 'admin' ? {} : { owner: principal }
    const isRemoved = await desk.rules.remove(param('id'), { by: { principal, device }, ...whose })
    return isRemoved ? json(200, {}) : problem({ code: 'not-found' })
  }

  async function tryRule({ viewer, body }: Matched): Promise<RestResponse> {
    const wanted = wantedIn(viewer, body)
    const draft = desk.rules.draft(wanted.rule, wanted)
    if ('code' in draft) return problem(draft)
    const tried = await tryOut(viewer, draft)
    return 'code' in tried ? problem(tried) : json(200, tried)
  }

  /** Tries a rule on what someone may see; their own, on what they were asked. */
  async function tryOut(viewer: Viewer, rule: Rule): Promise<DryRun | Refusal> {
    const { audit, sessions, now, rules } = desk
    const { principal } = viewer
    if (trying.has(principal)) return oneAtATime
    trying.add(principal)
    const isSeen = seesAll(viewer) && rule.owner === undefined
    try {
      return await dryRun({ audit, sessions, now, groupsOf: rules.groupsOf }, rule, (_session, { policy }) =>
        isSeen ? true : mayAnswer(policy, viewer),
      )
    } finally {
      trying.delete(principal)
    }
  }

  return routesFor(ruleOperations, {
    listRules: list,
    addRule: add,
    removeRule: remove,
    tryRule,
  })
}

/** One at a time. */
const oneAtATime: Refusal = { code: 'too-many' }

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
