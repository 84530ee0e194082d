import { checkField } from '../forms/check-field.js'
import { hasChoices } from '../forms/choices.js'
import type { Field } from '../forms/form.js'
import { isTextFormat } from '../forms/formats.js'
import { isRecord, isTexts } from '../forms/json-schema.js'
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
 * Why an answer cannot be taken, in words for a person; undefined when it can. The answer may be anything at all.
 * A draft only has to be of the right kind and among the options, so that a half-typed address can be shared.
 */
export function checkAnswer(question: Question, answer: unknown): string | undefined {
  if (!isRecord(answer)) return 'An answer has a state and a value.'
  const { state, value } = answer
  if (state === 'skipped') return isTexts(answer.freeformValues ?? []) ? undefined : notTexts
  if (state !== 'draft' && state !== 'submitted') return 'An answer is a draft, submitted or skipped.'
  if (!isRecord(value)) return 'The answer has no value.'
  if (value.kind !== kinds[question.kind]) return `This question takes an answer of kind "${kinds[question.kind]}".`
  const freeform = value.freeformValues ?? []
  if (!isTexts(freeform)) return notTexts
  if (freeform.length > 0 && !takesFreeform(question)) return 'This question takes no answer in other words.'
  const field = fieldOf(question, freeform)
  return checkField(state === 'draft' ? withoutBounds(field) : field, joinFreeform(value.value, freeform))
}

const notTexts = 'Free-form values are texts.'

function takesFreeform(question: Question): boolean {
  return 'options' in question && question.allowFreeformInput === true
}

/** Free-form text replaces a selection and joins a multi-selection. */
function joinFreeform(value: unknown, freeform: string[]): unknown {
  if (Array.isArray(value)) return [...value, ...freeform]
  return freeform.length === 1 && typeof value === 'string' ? freeform[0] : value
}

/** The field that a question stands for, with the free-form texts of an answer among its choices. */
function fieldOf(question: Question, freeform: string[]): Field {
  const { min, max } = { min: undefined, max: undefined, ...question }
  const bounds = (least: string, most: string) => ({
    ...(min !== undefined && { [least]: min }),
    ...(max !== undefined && { [most]: max }),
  })
  switch (question.kind) {
    case 'boolean':
      return { type: 'boolean' }
    case 'text':
      return {
        type: 'string',
        ...bounds('minLength', 'maxLength'),
        ...(isTextFormat(question.format) && { format: question.format }),
      }
    case 'single-select':
      return { type: 'string', enum: choices(question.options, freeform) }
    case 'multi-select':
      return {
        type: 'array',
        items: { type: 'string', enum: choices(question.options, freeform) },
        ...bounds('minItems', 'maxItems'),
      }
    default:
      return { type: question.kind, ...bounds('minimum', 'maximum') }
  }
}

function choices(options: Option[], freeform: string[]): string[] {
  return [...options.map(option => option.id), ...freeform]
}

function withoutBounds(field: Field): Field {
  if (field.type === 'array') return { type: 'array', items: field.items }
  if (field.type === 'string') return hasChoices(field) ? field : { type: 'string' }
  return { type: field.type === 'boolean' ? 'boolean' : 'number' }
}
