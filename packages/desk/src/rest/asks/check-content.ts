import { describeRefusal, type Refusal, type Rejection } from '@beckon/core/live'
import { checkAction } from '@beckon/core/session-0.3'
import type { FoundAsk } from '../../asks/found-ask.js'
import { encodeOlder } from '../../dialects/states.js'
import { plainAnswer } from './plain-answer.js'

/** What is wrong with the answer to one question: for programs, and as a sentence. */
export interface QuestionIssue {
  readonly question: string
  readonly code: Rejection['code']
  readonly params?: object | undefined
  readonly message: string
}

export interface CheckedContent {
  readonly answers: Readonly<Record<string, object>>
  /** Empty when the answers can be taken. */
  readonly issues: readonly QuestionIssue[]
}

/**
 * Content as answers. Each question is held by itself to the rules that an accept is held to, so that every issue
 * is told and not only the first.
 */
export function checkContent({ session, ask }: FoundAsk, content: Readonly<Record<string, unknown>>): CheckedContent {
  if (ask.ending !== undefined) return { answers: {}, issues: [] }
  const { request, drafts } = ask
  const { questions = [] } = request
  const bare = encodeOlder(session, () => undefined)
  const answers = new Map<string, object>()
  const issues: QuestionIssue[] = []
  for (const id of Object.keys(content)) {
    const question = questions.find(known => known.id === id)
    answers.set(id, question === undefined ? { state: 'skipped' } : plainAnswer(question, content[id]))
    if (question === undefined) issues.push(issueOf(id, { code: 'question-not-found' }))
  }
  for (const question of questions) {
    const { id } = question
    const only = <T>(value: T | undefined) => Object.fromEntries(value === undefined ? [] : [[id, value]])
    const draft = Object.hasOwn(drafts, id) ? drafts[id] : undefined
    const alone = { id: request.id, questions: [question], answers: only(draft) }
    const type = 'session/inputCompleted'
    const refusal = checkAction(
      { ...bare, inputRequests: [alone] },
      { type, requestId: request.id, response: 'accept', answers: only(answers.get(id)) },
    )
    if (refusal !== undefined) issues.push(issueOf(id, withoutTitle(refusal)))
  }
  return { answers: Object.fromEntries(answers), issues }
}

export function issueOf(question: string, refusal: Rejection): QuestionIssue {
  const { code, params } = refusal
  return { question, code, params, message: describeRefusal(refusal) }
}

/** An issue stands beside its question, and need not name it. */
function withoutTitle(refusal: Refusal): Refusal {
  switch (refusal.code) {
    case 'answer-required':
    case 'answer-invalid': {
      const { title: _, ...params } = refusal.params
      return { code: refusal.code, params } as Refusal
    }
    default:
      return refusal
  }
}
