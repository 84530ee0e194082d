import type { FieldValue } from '../ask/outcome.js'
import { hasChoice, hasChoices } from './choices.js'
import type { FieldProblem } from './field-problem.js'
import type { BooleanField, ChoicesField, Field, NumberField, TextField } from './form.js'
import { hasFormat } from './formats.js'

/** What is wrong with a value for a field; undefined when it fits. */
export function checkField(field: Field, value: unknown): FieldProblem | undefined {
  if (field.type === 'array') return checkChoices(field, value)
  if (hasChoices(field)) return hasChoice(field, value) ? undefined : { code: 'option-expected' }
  switch (field.type) {
    case 'string':
      return typeof value === 'string' ? checkText(field, value) : { code: 'text-expected' }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { code: 'boolean-expected' }
    default:
      return checkNumber(field, value)
  }
}

/** Whether a value fits a field. */
export function fits(field: Field, value: unknown): value is FieldValue {
  return checkField(field, value) === undefined
}

/** What a field can start with of a value: of its type, and among its choices, whatever other rule it breaks. */
export function presetOf(field: Field, value: unknown): FieldValue | undefined {
  if (field.type === 'array') return Array.isArray(value) ? value.filter(item => hasChoice(field, item)) : undefined
  const loose: TextField | NumberField | BooleanField = { type: field.type }
  return fits(hasChoices(field) ? field : loose, value) ? value : undefined
}

function checkText({ minLength = 0, maxLength = Infinity, format }: TextField, text: string): FieldProblem | undefined {
  const length = countCodePoints(text)
  if (length < minLength) return { code: 'too-short', params: { min: minLength } }
  if (length > maxLength) return { code: 'too-long', params: { max: maxLength } }
  return format === undefined || hasFormat(text, format) ? undefined : { code: 'format', params: { format } }
}

function checkNumber(
  { type, minimum = -Infinity, maximum = Infinity }: NumberField,
  value: unknown,
): FieldProblem | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { code: 'number-expected' }
  if (type === 'integer' && !Number.isInteger(value)) return { code: 'integer-expected' }
  if (value < minimum) return { code: 'too-low', params: { min: minimum } }
  return value > maximum ? { code: 'too-high', params: { max: maximum } } : undefined
}

function checkChoices(field: ChoicesField, values: unknown): FieldProblem | undefined {
  const { minItems = 0, maxItems = Infinity } = field
  if (!Array.isArray(values) || !values.every(value => hasChoice(field, value))) return { code: 'options-expected' }
  if (values.length < minItems) return { code: 'too-few', params: { min: minItems } }
  return values.length > maxItems ? { code: 'too-many', params: { max: maxItems } } : undefined
}

/** As JSON Schema counts: in code points. */
function countCodePoints(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}
