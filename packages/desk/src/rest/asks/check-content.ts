import { checkAction } from '@beckon/core/session-0.3'
import type { FoundAsk } from '../../asks/found-ask.js'
import { encodeOlder } from '../../dialects/states.js'
import { type Refusal, refusalOf } from '../../policy/refusals.js'
import { plainAnswer } from './plain-answer.js'

/** What is wrong with the answer to one question, in words for a person. */
export interface QuestionIssue {
  readonly question: string
  readonly code: Refusal['code']
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
    if (question === undefined)
      issues.push({ question: id, code: 'question-not-found', message: 'This ask has no such question.' })
  }
  for (const question of questions) {
    const { id } = question
    const only = <T>(value: T | undefined) => Object.fromEntries(value === undefined ? [] : [[id, value]])
    const draft = Object.hasOwn(drafts, id) ? drafts[id] : undefined
    const alone = { id: request.id, questions: [question], answers: only(draft) }
    const type = 'session/inputCompleted'
    const reason = checkAction(
      { ...bare, inputRequests: [alone] },
      { type, requestId: request.id, response: 'accept', answers: only(answers.get(id)) },
    )
    if (reason === undefined) continue
    const { code } = refusalOf(type, reason)
    issues.push({ question: id, code, message: withoutTitle(reason, question) })
  }
  return { answers: Object.fromEntries(answers), issues }
}

function withoutTitle(reason: string, { title, message }: { title?: string; message: string }): string {
  const prefix = `${title ?? message}: `
  return reason.startsWith(prefix) ? reason.slice(prefix.length) : reason
}
