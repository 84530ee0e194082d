import { type Answer, checkAnswer, type FieldProblem, type Question } from '@beckon/core'
import { type Entered, read } from './entered.js'

/** What is wrong with an entry; undefined when it can be sent. */
export function problemOf(question: Question, entered: Entered, tag?: string): FieldProblem | undefined {
  const result = read(question, entered, tag)
  if (result.kind === 'unreadable') return { code: 'number-expected' }
  if (result.kind === 'nothing') return question.required ? { code: 'required' } : undefined
  return checkAnswer(question, { state: 'submitted', value: result.value })
}

/** An entry as a draft to share; undefined for what no draft can carry. */
export function draftOf(question: Question, entered: Entered, tag?: string): Answer | undefined {
  const result = read(question, entered, tag)
  if (result.kind === 'unreadable') return undefined
  const answer: Answer = result.kind === 'nothing' ? { state: 'skipped' } : { state: 'draft', value: result.value }
  return checkAnswer(question, answer) === undefined ? answer : undefined
}

/** An entry that was found good, as the final answer. */
export function finalOf(question: Question, entered: Entered, tag?: string): Answer {
  const result = read(question, entered, tag)
  return result.kind === 'value' ? { state: 'submitted', value: result.value } : { state: 'skipped' }
}
