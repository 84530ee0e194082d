// Comments, and handing an ask to someone else.
import { askView } from '../../asks/ask-view.js'
import { findAsk as askIn } from '../../model/reduce.js'
import type { DeskView } from '../desk-view.js'
import { json, type RestResponse } from '../exchange.js'
import { invalidRequest, problem } from '../problem.js'
import type { Matched } from '../router.js'
import { dispatch, fieldsOf, findAsk } from './complete-ask.js'

export async function commentAsk(desk: DeskView, request: Matched): Promise<RestResponse> {
  const found = await findAsk(desk, request)
  if (found === undefined) return problem({ code: 'ask-not-found' })
  const { text } = fieldsOf(request.body, ['text']) ?? {}
  if (typeof text !== 'string') return invalidRequest('The body is an object with "text": a string.')
  const settled = await dispatch(desk, request, found, { type: 'beckon/commented', text })
  if (settled.kind === 'refused') return problem(settled.code === 'recorded' ? { code: 'conflict' } : settled)
  const { session = found.session } = settled
  return json(201, askView({ session, ask: askIn(session, found.ask.id) ?? found.ask }, desk.membersOf))
}

export async function delegateAsk(desk: DeskView, request: Matched): Promise<RestResponse> {
  const found = await findAsk(desk, request)
  if (found === undefined) return problem({ code: 'ask-not-found' })
  const { to } = fieldsOf(request.body, ['to']) ?? {}
  if (typeof to !== 'string') return invalidRequest('The body is an object with "to": a principal.')
  const settled = await dispatch(desk, request, found, { type: 'beckon/delegated', to })
  if (settled.kind === 'refused') return problem(settled.code === 'recorded' ? { code: 'conflict' } : settled)
  return json(200, {})
}
