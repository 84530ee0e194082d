// Answer, decline and cancel. The desk decides, as it does for everyone, and records what it refuses; what is checked
// here is only for better words than one reason.

import { isRecord } from '@beckon/core/json-rpc'
import { describeRefusal } from '@beckon/core/live'
import { askView } from '../../asks/ask-view.js'
import { type FoundAsk, findAskFor } from '../../asks/found-ask.js'
import { endedOf } from '../../asks/happening.js'
import { expired } from '../../policy/refusals.js'
import type { Settled } from '../../sessions/sessions.js'
import { checkContent, type QuestionIssue } from '../asks/check-content.js'
import type { DeskView } from '../desk-view.js'
import { json, type RestResponse } from '../exchange.js'
import { maxReasonChars } from '../limits.js'
import { invalidRequest, problem } from '../problem.js'
import type { Matched } from '../router.js'

type Fields = Readonly<Record<string, unknown>>

export async function answerAsk(desk: DeskView, request: Matched): Promise<RestResponse> {
  const found = await findAsk(desk, request)
  if (found === undefined) return problem({ code: 'ask-not-found' })
  const fields = fieldsOf(request.body, ['content', 'passkey', 'askedAt'])
  const content = fields?.content ?? {}
  if (fields === undefined || !isRecord(content)) {
    return invalidRequest(
      'The body is an object with "content": an object by question id; "passkey", where it takes one; and perhaps "askedAt".',
    )
  }
  const { answers, issues } = checkContent(found, content)
  const { passkey } = fields
  const how = { response: 'accept', answers, ...(passkey !== undefined && { passkey }), ...seenIn(fields) }
  return complete(desk, request, found, { how, issues })
}

export async function declineAsk(desk: DeskView, request: Matched): Promise<RestResponse> {
  const found = await findAsk(desk, request)
  if (found === undefined) return problem({ code: 'ask-not-found' })
  const fields = fieldsOf(request.body, ['reason', 'askedAt'])
  const { reason } = fields ?? {}
  if (fields === undefined || (reason !== undefined && typeof reason !== 'string')) {
    return invalidRequest('The body is empty, or an object with "reason": a text; and perhaps "askedAt".')
  }
  if (reason !== undefined && reason.length > maxReasonChars) {
    return problem({ code: 'reason-too-long', params: { max: maxReasonChars } })
  }
  const how = { response: 'decline', ...(reason !== undefined && { reason }), ...seenIn(fields) }
  return complete(desk, request, found, { how })
}

export async function cancelAsk(desk: DeskView, request: Matched): Promise<RestResponse> {
  const found = await findAsk(desk, request)
  if (found === undefined) return problem({ code: 'ask-not-found' })
  const fields = fieldsOf(request.body, ['askedAt'])
  if (fields === undefined) return invalidRequest('The body is empty, or an object with "askedAt".')
  return complete(desk, request, found, { how: { response: 'cancel', ...seenIn(fields) } })
}

/** When what they saw was asked. */
function seenIn({ askedAt }: Fields): Fields {
  return askedAt === undefined ? {} : { askedAt }
}

/** The ask that a request is about, as far as the viewer may see it. */
export function findAsk({ sessions }: DeskView, { param, viewer }: Matched): Promise<FoundAsk | undefined> {
  return findAskFor(sessions, viewer, { session: param('session'), ask: param('id') })
}

/** The fields of a body, which may be left out; undefined when it is anything else. */
export function fieldsOf(body: unknown, names: readonly string[]): Fields | undefined {
  if (body === undefined) return {}
  return isRecord(body) && Object.keys(body).every(key => names.includes(key)) ? body : undefined
}

/** Does an action of the viewer. */
export function dispatch(
  { actions }: DeskView,
  { viewer }: Matched,
  { session, ask }: FoundAsk,
  action: Fields,
): Promise<Settled> {
  return actions.dispatch(viewer, {
    session: session.id,
    on: 'session',
    dialect: '0.3',
    action: { ...action, requestId: ask.id },
  })
}

/** What the desk's refusal comes to. */
export async function refusal(
  desk: DeskView,
  request: Matched,
  settled: Extract<Settled, { kind: 'refused' }>,
  issues: readonly QuestionIssue[] = [],
): Promise<RestResponse> {
  if (settled.code === 'recorded')
    return json(202, { status: settled.code, params: settled.params, message: describeRefusal(settled) })
  const found = await findAsk(desk, request)
  if (found === undefined) return problem({ code: 'ask-not-found' })
  const { ask } = found
  if (ask.ending !== undefined) return alreadyOver(found)
  if (desk.now() >= ask.policy.expiresAt) return problem(expired, { ended: { event: 'expired' } })
  const { kind: _, ...refused } = settled
  if (issues.length === 0 || refused.code === 'answer-required') return problem(refused, { issues })
  return problem(refused.code === 'answer-invalid' ? refused : { code: 'answer-invalid', params: {} }, { issues })
}

async function complete(
  desk: DeskView,
  request: Matched,
  found: FoundAsk,
  { how, issues }: { how: Fields; issues?: readonly QuestionIssue[] },
): Promise<RestResponse> {
  const settled = await dispatch(desk, request, found, { type: 'session/inputCompleted', ...how })
  if (settled.kind === 'refused') return refusal(desk, request, settled, issues)
  const ask = settled.session?.ended.findLast(({ instance }) => instance === found.ask.instance)
  return json(200, askView({ session: settled.session ?? found.session, ask: ask ?? found.ask }, desk.membersOf))
}

function alreadyOver({ ask }: FoundAsk): RestResponse {
  const ended = endedOf(ask.ending)
  const { event, by, response, rule } = ended
  if (event === 'expired') return problem(expired, { ended })
  const who = { ...(by !== undefined && { by }), ...(rule !== undefined && { rule }), ...(response && { response }) }
  return problem({ code: 'ask-ended', params: event === 'answered' ? who : {} }, { ended })
}
