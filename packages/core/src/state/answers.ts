import { without } from '../collections/record.js'
import type { Answer } from '../questions/question.js'
import type { InputRequest } from './request.js'

type Answers = Record<string, Answer>

/** Sets one question's answer, or clears it when there is none. */
export function withAnswer(request: InputRequest, questionId: string, answer: Answer | undefined): InputRequest {
  const answers: Answers = request.answers ?? {}
  return withAnswers(request, answer ? { ...answers, [questionId]: answer } : without(answers, questionId))
}

/** Lays final answers over the drafts. */
export function mergeAnswers(request: InputRequest, answers: Answers | undefined): InputRequest {
  return withAnswers(request, { ...request.answers, ...answers })
}

/** A request that is put again keeps its drafts, unless it brings answers of its own. */
export function replaceRequest(current: InputRequest, next: InputRequest): InputRequest {
  const answers = next.answers ?? current.answers
  return answers ? { ...next, answers } : next
}

function withAnswers(request: InputRequest, answers: Answers): InputRequest {
  return Object.keys(answers).length > 0 ? { ...request, answers } : without(request, 'answers')
}
