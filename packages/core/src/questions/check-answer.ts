import { given, isRecord, isTexts } from '../collections/record.js'
import { checkField } from '../forms/check-field.js'
import type { FieldProblem } from '../forms/field-problem.js'
import type { Field } from '../forms/form.js'
import { isTextFormat } from '../forms/formats.js'
import type { Option, Question, Value } from './question.js'

const kinds: Record<Question['kind'], Value['kind']> = {
  text: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  'single-select': 'selected',
  'multi-select': 'selected-many',
}

/**
 * Why an answer cannot be taken; undefined when it can. The answer may be anything at all.
 * A draft only has to be of the right kind and among the options, so that a half-typed address can be shared.
 */
export function checkAnswer(question: Question, answer: unknown): FieldProblem | undefined {
  if (!isRecord(answer)) return malformed('answer', 'an object with a state')
  const { state, value } = answer
  if (state === 'skipped') return isTexts(answer.freeformValues ?? []) ? undefined : notTexts
  if (state !== 'draft' && state !== 'submitted') return malformed('state', 'draft, submitted or skipped')
  if (!isRecord(value)) return malformed('value', 'an object')
  if (value.kind !== kinds[question.kind]) return malformed('value.kind', `"${kinds[question.kind]}"`)
  const freeform = value.freeformValues ?? []
  if (!isTexts(freeform)) return notTexts
  if (freeform.length > 0 && !takesFreeform(question)) return { code: 'freeform-not-allowed' }
  return checkField(fieldOf(question, freeform, state === 'draft'), joinFreeform(value.value, freeform))
}

const notTexts = malformed('freeformValues', 'a list of strings')

function malformed(field: string, expected: string): FieldProblem {
  return { code: 'malformed', params: { field, expected } }
}

function takesFreeform(question: Question): boolean {
  return 'options' in question && question.allowFreeformInput === true
}

/** Free-form text replaces a selection and joins a multi-selection. */
function joinFreeform(value: unknown, freeform: string[]): unknown {
  if (Array.isArray(value)) return [...value, ...freeform]
  return freeform.length === 1 && typeof value === 'string' ? freeform[0] : value
}

/** The field that a question stands for, with the free-form texts of an answer among its choices; for a draft, loosely. */
function fieldOf(question: Question, freeform: string[], isDraft: boolean): Field {
  const rule = <T>(value: T) => (isDraft ? undefined : value)
  switch (question.kind) {
    case 'boolean':
      return { type: 'boolean' }
    case 'text': {
      const { min, max, format } = question
      const known = isTextFormat(format) ? format : undefined
      return { type: 'string', ...given({ minLength: rule(min), maxLength: rule(max), format: rule(known) }) }
    }
    case 'single-select':
      return { type: 'string', enum: choices(question.options, freeform) }
    case 'multi-select': {
      const items = { type: 'string' as const, enum: choices(question.options, freeform) }
      return { type: 'array', items, ...given({ minItems: rule(question.min), maxItems: rule(question.max) }) }
    }
    default: {
      const type = isDraft ? 'number' : question.kind
      return { type, ...given({ minimum: rule(question.min), maximum: rule(question.max) }) }
    }
  }
}

function choices(options: Option[], freeform: string[]): string[] {
  return [...options.map(option => option.id), ...freeform]
}
