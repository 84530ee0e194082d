import type { Question } from '@beckon/core'
import { draftOf } from '../../asks/ask-view.js'
import { issueOf } from '../asks/check-content.js'
import { plainAnswer } from '../asks/plain-answer.js'
import type { DeskView } from '../desk-view.js'
import { json, type RestResponse } from '../exchange.js'
import { invalidRequest, problem } from '../problem.js'
import type { Matched } from '../router.js'
import { dispatch, fieldsOf, findAsk, refusal } from './complete-ask.js'

const states = ['draft', 'submitted', 'skipped'] as const
const wanted =
  'The body is an object with "value" (null takes the draft back) and perhaps "state": draft or submitted; or with "state": skipped alone.'

interface Change {
  readonly state: (typeof states)[number]
  readonly value: unknown
}

/** Changes one question's answer, for everyone who looks at it. */
export async function draftAnswer(desk: DeskView, request: Matched): Promise<RestResponse> {
  const found = await findAsk(desk, request)
  if (found === undefined) return problem({ code: 'ask-not-found' })
  const { ask } = found
  const questionId = request.param('questionId')
  const question = ask.request.questions?.find(({ id }) => id === questionId)
  if (question === undefined) return problem({ code: 'question-not-found' })
  const change = changeIn(request.body)
  if (change === undefined) return invalidRequest(wanted)
  const answer = answerOf(question, change)
  const type = 'session/inputAnswerChanged'
  const settled = await dispatch(desk, request, found, { type, questionId, ...(answer && { answer }) })
  if (settled.kind === 'refused') {
    return refusal(desk, request, settled, [issueOf(questionId, settled)])
  }
  const answers = settled.session?.open.get(ask.id)?.drafts ?? {}
  const now = Object.hasOwn(answers, questionId) ? answers[questionId] : undefined
  return json(200, now === undefined ? { state: 'cleared' } : draftOf(question, now))
}

function changeIn(body: unknown): Change | undefined {
  const fields = fieldsOf(body, ['value', 'state'])
  if (fields === undefined) return undefined
  const { value, state: said = 'draft' } = fields
  const state = states.find(known => known === said)
  return state === undefined || (state === 'skipped') !== (value === undefined) ? undefined : { state, value }
}

function answerOf(question: Question, { state, value }: Change): object | undefined {
  if (state === 'skipped') return { state }
  return value === null ? undefined : plainAnswer(question, value, state)
}
