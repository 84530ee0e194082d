import { checkAction } from '@beckon/core/session-0.3'
import type { Found } from './look-up.js'
import { plainAnswer } from './plain-answer.js'

/** What is wrong with the answer to one question, in words for a person. */
export interface QuestionIssue {
  readonly question: string
  readonly message: string
}

export interface CheckedContent {
  readonly answers: Readonly<Record<string, object>>
  /** Empty when the answers can be taken. */
  readonly issues: readonly QuestionIssue[]
}

/**
 * Content as answers. Each question is held by itself to the rules that the gate has for an accept, so that every issue
 * is told and not only the first.
 */
export function checkContent(found: Found | undefined, content: Readonly<Record<string, unknown>>): CheckedContent {
  if (found === undefined) return { answers: {}, issues: [] }
  const { record, request } = found
  const { questions = [], answers: drafts = {} } = request
  const answers = new Map<string, object>()
  const issues: QuestionIssue[] = []
  for (const id of Object.keys(content)) {
    const question = questions.find(known => known.id === id)
    answers.set(id, question === undefined ? { state: 'skipped' } : plainAnswer(question, content[id]))
    if (question === undefined) issues.push({ question: id, message: 'This ask has no such question.' })
  }
  for (const question of questions) {
    const { id } = question
    const only = <T>(value: T | undefined) => Object.fromEntries(value === undefined ? [] : [[id, value]])
    const draft = Object.hasOwn(drafts, id) ? drafts[id] : undefined
    const alone = { id: request.id, questions: [question], answers: only(draft) }
    const reason = checkAction(
      { ...record.older, inputRequests: [alone] },
      { type: 'session/inputCompleted', requestId: request.id, response: 'accept', answers: only(answers.get(id)) },
    )
    if (reason !== undefined) issues.push({ question: id, message: withoutTitle(reason, question) })
  }
  return { answers: Object.fromEntries(answers), issues }
}

function withoutTitle(reason: string, { title, message }: { title?: string; message: string }): string {
  const prefix = `${title ?? message}: `
  return reason.startsWith(prefix) ? reason.slice(prefix.length) : reason
}
