import type { FieldValue } from '../ask/outcome.js'
import { hasChoice, hasChoices } from './choices.js'
import type { BooleanField, ChoicesField, Field, NumberField, TextField, TextFormat } from './form.js'
import { hasFormat } from './formats.js'

const formatMessages: Record<TextFormat, string> = {
  email: 'Enter an e-mail address, such as name@example.com.',
  uri: 'Enter a full address, such as https://example.com.',
  date: 'Enter a date, such as 2026-07-28.',
  'date-time': 'Enter a date and time, such as 2026-07-28T09:30:00Z.',
}

/** What is wrong with a value for a field, in words for the person who entered it; undefined when it fits. */
export function checkField(field: Field, value: unknown): string | undefined {
  if (field.type === 'array') return checkChoices(field, value)
  if (hasChoices(field)) return hasChoice(field, value) ? undefined : 'Choose one of the options.'
  switch (field.type) {
    case 'string':
      return typeof value === 'string' ? checkText(field, value) : 'Enter a text.'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'Answer yes or no.'
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

function checkText({ minLength = 0, maxLength = Infinity, format }: TextField, text: string): string | undefined {
  const length = countCodePoints(text)
  if (length < minLength) return `Enter at least ${count(minLength, 'character')}.`
  if (length > maxLength) return `Enter at most ${count(maxLength, 'character')}.`
  return format === undefined || hasFormat(text, format) ? undefined : formatMessages[format]
}

function checkNumber(
  { type, minimum = -Infinity, maximum = Infinity }: NumberField,
  value: unknown,
): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'Enter a number.'
  if (type === 'integer' && !Number.isInteger(value)) return 'Enter a whole number.'
  if (value < minimum) return `Enter ${minimum} or more.`
  return value > maximum ? `Enter ${maximum} or less.` : undefined
}

function checkChoices(field: ChoicesField, values: unknown): string | undefined {
  const { minItems = 0, maxItems = Infinity } = field
  if (!Array.isArray(values) || !values.every(value => hasChoice(field, value))) return 'Choose from the options.'
  if (values.length < minItems) return `Choose at least ${count(minItems, 'option')}.`
  return values.length > maxItems ? `Choose at most ${count(maxItems, 'option')}.` : undefined
}

/** As JSON Schema counts: in code points. */
function countCodePoints(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

function count(amount: number, thing: string): string {
  return `${amount} ${thing}${amount === 1 ? '' : 's'}`
}
