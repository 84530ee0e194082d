// Answer, decline and cancel. The gate decides, as it does for everyone, and records what it refuses; what is checked
// here is only for better words than one reason.
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
  if (ask === undefined) return problem(404, noSuchAsk)
  const fields = fieldsOf(request.body, ['content'])
  const content = fields?.content ?? {}
  if (fields === undefined || !isRecord(content)) {
    return problem(400, 'The body is an object with "content": an object by question id.')
  }
  const found = openState(desk.order, ask)
  const { answers, issues } = checkContent(found, content)
  return complete(desk, request, ask, { how: { response: 'accept', answers }, issues })
}

export async function declineAsk(desk: DeskView, request: Matched): Promise<RestResponse> {
  const ask = findAsk(desk, request)
  if (ask === undefined) return problem(404, noSuchAsk)
  const fields = fieldsOf(request.body, ['reason'])
  const { reason } = fields ?? {}
  if (fields === undefined || (reason !== undefined && typeof reason !== 'string')) {
    return problem(400, 'The body is empty, or an object with "reason": a text.')
  }
  if (reason !== undefined && reason.length > longestReason) {
    return problem(422, `A reason has at most ${longestReason} characters.`)
  }
  return complete(desk, request, ask, { how: { response: 'decline', ...(reason !== undefined && { reason }) } })
}

export async function cancelAsk(desk: DeskView, request: Matched): Promise<RestResponse> {
  const ask = findAsk(desk, request)
  if (ask === undefined) return problem(404, noSuchAsk)
  if (fieldsOf(request.body, []) === undefined) return problem(400, 'The body is empty, or an empty object.')
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
  { reason }: Extract<Settled, { kind: 'refused' }>,
  issues: readonly QuestionIssue[] = [],
): RestResponse {
  if (reason.startsWith('recorded')) return json(202, { status: 'recorded', message: reason })
  if (openState(desk.order, ask) === undefined) return alreadyOver(desk, ask)
  if (desk.now() >= ask.policy.expiresAt) return problem(409, reason, { ended: { event: 'expired' } })
  return issues.length > 0 ? problem(422, 'Some answers cannot be taken.', { issues }) : problem(422, reason)
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
    expired: 'The time to answer this is over.',
  }
  return problem(409, words[ended.event], { ended })
}
