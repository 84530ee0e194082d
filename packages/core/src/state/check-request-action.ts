import { isRecord, own } from '../collections/record.js'
import type { FieldProblem } from '../forms/field-problem.js'
import { checkAnswer } from '../questions/check-answer.js'
import type { Answer, Question, Value } from '../questions/question.js'
import type { Refusal } from '../refusals/refusal.js'
import { actionInvalid } from './reasons.js'
import type { InputRequest } from './request.js'

type Fields = Record<string, unknown>

const unknownQuestion: Refusal = { code: 'question-not-found' }

/** Why a client may not change this answer; undefined when it may. */
export function checkAnswerChanged(request: InputRequest, { questionId, answer }: Fields): Refusal | undefined {
  const question = request.questions?.find(({ id }) => id === questionId)
  // What is there can be cleared, also when its question is gone.
  if (answer === undefined && (question || own(request.answers ?? {}, String(questionId)))) return undefined
  if (!question) return unknownQuestion
  // What was submitted is taken back by clearing it, or by something as good: not by what somebody has only begun to type.
  const isOverSubmitted = isSubmitted(own(request.answers ?? {}, question.id)) && isDraft(answer)
  const problem = checkAnswer(question, isOverSubmitted ? { ...answer, state: 'submitted' } : answer)
  return problem && { code: 'answer-invalid', params: { question: question.id, problem } }
}

/** Why a client may not complete this request so; undefined when it may. */
export function checkCompleted(request: InputRequest, { response, answers = {} }: Fields): Refusal | undefined {
  if (response !== 'accept' && response !== 'decline' && response !== 'cancel') {
    return actionInvalid('response', 'accept, decline or cancel')
  }
  if (!isRecord(answers)) return actionInvalid('answers', 'an object by question')
  const { questions = [], answers: drafts = {} } = request
  if (Object.keys(answers).some(key => !questions.some(({ id }) => id === key))) return unknownQuestion
  for (const question of questions) {
    const given = own(answers, question.id)
    const problem =
      response === 'accept' ? checkFinal(question, given, own(drafts, question.id)) : checkShape(question, given)
    if (problem) return refusalOf(question, problem)
  }
  return undefined
}

function refusalOf({ id, title, message }: Question, problem: FieldProblem): Refusal {
  const about = { question: id, title: title ?? message }
  return problem.code === 'required'
    ? { code: 'answer-required', params: about }
    : { code: 'answer-invalid', params: { ...about, problem } }
}

function checkFinal(question: Question, given: unknown, draft: unknown): FieldProblem | undefined {
  const answer = given === undefined ? draft : given
  // A draft that was left behind does not count as an answer, so it need not be a good one.
  if (given !== undefined || isSubmitted(answer)) {
    const problem = checkAnswer(question, answer)
    if (problem) return problem
  }
  const missing = question.required && !(isSubmitted(answer) && !isEmpty(answer.value))
  return missing ? { code: 'required' } : undefined
}

/** Nobody uses the answers to a request that was not accepted, so they need not be complete. */
function checkShape(question: Question, answer: unknown): FieldProblem | undefined {
  if (answer === undefined) return undefined
  return checkAnswer(question, isSubmitted(answer) ? { ...answer, state: 'draft' } : answer)
}

function isSubmitted(answer: unknown): answer is Extract<Answer, { value: Value }> {
  return isRecord(answer) && answer.state === 'submitted'
}

function isDraft(answer: unknown): answer is Fields {
  return isRecord(answer) && answer.state === 'draft'
}

function isEmpty(value: Value): boolean {
  if (value.kind === 'text') return value.value === ''
  if (value.kind !== 'selected' && value.kind !== 'selected-many') return false
  const freeform = value.freeformValues ?? []
  const selected = value.kind === 'selected' ? freeform.length === 0 : value.value.length > 0
  return !selected && freeform.every(text => text === '')
}
