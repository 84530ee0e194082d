import type { Content, FieldValue } from '../ask/outcome.js'
import { own } from '../collections/record.js'
import { hasChoices } from '../forms/choices.js'
import type { Form } from '../forms/form.js'
import type { Answer, Question, Value } from './question.js'
import { questionsOf } from './questions-of.js'

/** The answers to a set of questions, by question id. */
export type Answers = Readonly<Record<string, Answer>>

/**
 * The content that answers come to, by question id. Only submitted answers count, and only those to a question that is
 * there. Free-form text replaces a selection and joins a multi-selection.
 */
export function contentOf(asked: Form | readonly Question[], answers: Answers): Content {
  const questions = 'properties' in asked ? questionsOf(asked) : asked
  const entries: [string, FieldValue][] = []
  for (const { id } of questions) {
    const answer = own(answers, id)
    if (answer?.state === 'submitted') entries.push([id, plain(answer.value)])
  }
  return Object.fromEntries(entries)
}

/** The answers that a content comes to: the inverse of `contentOf` for any content that fits the form. */
export function answersOf(
  form: Form,
  content: Content,
  state: 'draft' | 'submitted' = 'submitted',
): Record<string, Answer> {
  const entries: [string, Answer][] = []
  for (const { id, kind } of questionsOf(form)) {
    const value = own(content, id)
    if (value !== undefined) entries.push([id, { state, value: wrap(kind, value) }])
  }
  return Object.fromEntries(entries)
}

/** What the selects of a form start with, which a question has no place for: as drafts. */
export function draftsOf(form: Form): Record<string, Answer> {
  const presets = Object.entries(form.properties).flatMap(([name, field]): [string, FieldValue][] =>
    hasChoices(field) && field.default !== undefined ? [[name, field.default]] : [],
  )
  return answersOf(form, Object.fromEntries(presets), 'draft')
}

function plain(value: Value): FieldValue {
  switch (value.kind) {
    case 'selected':
      return value.freeformValues?.[0] ?? value.value
    case 'selected-many':
      return [...value.value, ...(value.freeformValues ?? [])]
    default:
      return value.value
  }
}

function wrap(kind: Question['kind'], value: FieldValue): Value {
  if (typeof value === 'number') return { kind: 'number', value }
  if (typeof value === 'boolean') return { kind: 'boolean', value }
  if (typeof value === 'string') return { kind: kind === 'single-select' ? 'selected' : 'text', value }
  return { kind: 'selected-many', value: [...value] }
}
