// Answer, decline and cancel. The gate decides, as it does for everyone, and records what it refuses; what is checked
// here is only for better words than one reason.
import { expired } from '../../asks/refusals.js'
import type { Settled } from '../../log/order.js'
import { checkContent, type QuestionIssue } from '../asks/check-content.js'
import type { KnownAsk } from '../asks/known-ask.js'
import { askFor, endedState, openState } from '../asks/look-up.js'
import type { DeskView } from '../desk-view.js'
import { json, type RestResponse } from '../exchange.js'
import { isRecord } from '../is-record.js'
import { longestReason } from '../limits.js'
import { problem } from '../problem.js'
import type { Matched } from '../router.js'
import { noSuchAsk } from './read-ask.js'

type Fields = Readonly<Record<string, unknown>>

export async function answerAsk(desk: DeskView, request: Matched): Promise<RestResponse> {
  const ask = findAsk(desk, request)
  if (ask === undefined) return problem('ask-not-found', noSuchAsk)
  const fields = fieldsOf(request.body, ['content'])
  const content = fields?.content ?? {}
  if (fields === undefined || !isRecord(content)) {
    return problem('request-invalid', 'The body is an object with "content": an object by question id.')
  }
  const found = openState(desk.order, ask)
  const { answers, issues } = checkContent(found, content)
  return complete(desk, request, ask, { how: { response: 'accept', answers }, issues })
}

export async function declineAsk(desk: DeskView, request: Matched): Promise<RestResponse> {
  const ask = findAsk(desk, request)
  if (ask === undefined) return problem('ask-not-found', noSuchAsk)
  const fields = fieldsOf(request.body, ['reason'])
  const { reason } = fields ?? {}
  if (fields === undefined || (reason !== undefined && typeof reason !== 'string')) {
    return problem('request-invalid', 'The body is empty, or an object with "reason": a text.')
  }
  if (reason !== undefined && reason.length > longestReason) {
    return problem('reason-too-long', `A reason has at most ${longestReason} characters.`)
  }
  return complete(desk, request, ask, { how: { response: 'decline', ...(reason !== undefined && { reason }) } })
}

export async function cancelAsk(desk: DeskView, request: Matched): Promise<RestResponse> {
  const ask = findAsk(desk, request)
  if (ask === undefined) return problem('ask-not-found', noSuchAsk)
  if (fieldsOf(request.body, []) === undefined)
    return problem('request-invalid', 'The body is empty, or an empty object.')
  return complete(desk, request, ask, { how: { response: 'cancel' } })
}

/** The ask that a request is about, as far as the visitor may see it. */
export function findAsk({ asks }: DeskView, { param, query, visitor }: Matched): KnownAsk | undefined {
  return askFor(asks, visitor, param('id'), query.get('session') ?? undefined)
}

/** The fields of a body, which may be left out; undefined when it is anything else. */
export function fieldsOf(body: unknown, names: readonly string[]): Fields | undefined {
  if (body === undefined) return {}
  return isRecord(body) && Object.keys(body).every(key => names.includes(key)) ? body : undefined
}

/** Takes an action to the gate. */
export function dispatch({ gate }: DeskView, { visitor }: Matched, ask: KnownAsk, action: Fields): Promise<Settled> {
  return gate.dispatch(visitor, {
    session: ask.session,
    on: 'session',
    dialect: 'older',
    action: { ...action, requestId: ask.id },
  })
}

/** What the gate's refusal comes to. */
export function refusal(
  desk: DeskView,
  ask: KnownAsk,
  { code, reason }: Extract<Settled, { kind: 'refused' }>,
  issues: readonly QuestionIssue[] = [],
): RestResponse {
  if (code === 'recorded') return json(202, { status: code, message: reason })
  if (openState(desk.order, ask) === undefined) return alreadyOver(desk, ask)
  if (desk.now() >= ask.policy.expiresAt) return problem('ask-expired', expired.reason, { ended: { event: 'expired' } })
  if (issues.length === 0) return problem(code, reason)
  const what = code === 'answer-required' ? code : 'answer-invalid'
  return problem(what, 'Some answers cannot be taken.', { issues })
}

async function complete(
  desk: DeskView,
  request: Matched,
  ask: KnownAsk,
  { how, issues }: { how: Fields; issues?: readonly QuestionIssue[] },
): Promise<RestResponse> {
  const settled = await dispatch(desk, request, ask, { type: 'session/inputCompleted', ...how })
  return settled.kind === 'refused' ? refusal(desk, ask, settled, issues) : json(200, endedState(desk.order, ask))
}

function alreadyOver({ order }: DeskView, ask: KnownAsk): RestResponse {
  const { ended } = endedState(order, ask)
  const words = {
    answered: `${ended.by} has answered this already: ${ended.response}.`,
    withdrawn: 'This was withdrawn.',
    expired: expired.reason,
  }
  return problem(ended.event === 'expired' ? 'ask-expired' : 'ask-ended', words[ended.event], { ended })
}
