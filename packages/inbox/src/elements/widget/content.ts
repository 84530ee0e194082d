// Between what a widget's page speaks, the content of a form, and what the desk does, answers to questions.
import type { Answer, Question, Value } from '@beckon/core'

/** The content of a form, as far as there is any. */
export type Content = Readonly<Record<string, unknown>>

/** The answers so far as content. */
export function contentFrom(
  questions: readonly Question[],
  answers: Readonly<Record<string, Answer>> = {},
): Record<string, unknown> {
  return Object.fromEntries(
    questions.flatMap(question => {
      const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined
      const value = answer === undefined ? proposalOf(question) : entryOf(answer)
      return value === undefined ? [] : [[question.id, value]]
    }),
  )
}

/** The answer to a question in some content: `skipped` where it has none, undefined for one that no answer can be. */
export function answerIn(question: Question, content: Content): Answer | undefined {
  const given = Object.hasOwn(content, question.id) ? content[question.id] : undefined
  if (given === undefined || given === null) return { state: 'skipped' }
  const value = readValue(question, given)
  return value && { state: 'draft', value }
}

function readValue({ kind }: Question, given: unknown): Value | undefined {
  switch (kind) {
    case 'boolean':
      return typeof given === 'boolean' ? { kind: 'boolean', value: given } : undefined
    case 'number':
    case 'integer':
      return typeof given === 'number' ? { kind: 'number', value: given } : undefined
    case 'single-select':
      return typeof given === 'string' ? { kind: 'selected', value: given } : undefined
    case 'multi-select':
      return Array.isArray(given) && given.every(each => typeof each === 'string')
        ? { kind: 'selected-many', value: given }
        : undefined
    default:
      return typeof given === 'string' ? { kind: 'text', value: given } : undefined
  }
}

function entryOf(answer: Answer): unknown {
  return answer.state === 'skipped' ? undefined : answer.value.value
}

function proposalOf(question: Question): unknown {
  if (!('options' in question)) return question.defaultValue
  const recommended = question.options.filter(option => option.recommended).map(({ id }) => id)
  if (recommended.length === 0) return undefined
  return question.kind === 'multi-select' ? recommended : recommended[0]
}

/** The form that questions were made of, with some content to start with. */
export function formFrom(questions: readonly Question[], content: Content): object {
  const properties = questions.map(question => {
    const start = Object.hasOwn(content, question.id) ? { default: content[question.id] } : {}
    const words = { ...(question.title !== undefined && { title: question.title }), description: question.message }
    return [question.id, { ...fieldFrom(question), ...words, ...start }] as const
  })
  const required = questions.flatMap(({ id, required: isRequired }) => (isRequired ? [id] : []))
  return { type: 'object', properties: Object.fromEntries(properties), required }
}

function fieldFrom(question: Question): object {
  switch (question.kind) {
    case 'boolean':
      return { type: 'boolean' }
    case 'number':
    case 'integer':
      return withoutUndefined({ type: question.kind, minimum: question.min, maximum: question.max })
    case 'single-select':
      return { type: 'string', oneOf: choicesOf(question) }
    case 'multi-select':
      return withoutUndefined({
        type: 'array',
        items: { anyOf: choicesOf(question) },
        minItems: question.min,
        maxItems: question.max,
      })
    default:
      return withoutUndefined({
        type: 'string',
        format: question.format,
        minLength: question.min,
        maxLength: question.max,
      })
  }
}

function choicesOf({ options }: Extract<Question, { options: unknown }>): object[] {
  return options.map(({ id, label }) => ({ const: id, title: label }))
}

function withoutUndefined(value: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined))
}
