import { choicesOf, hasChoices } from '../forms/choices.js'
import type { ChoiceField, ChoicesField, Field, Form } from '../forms/form.js'
import type { Option, Question } from './question.js'

/** A form as the questions a person sees, in the order of its properties. */
export function questionsOf(form: Form): Question[] {
  return Object.entries(form.properties).map(([name, field]) =>
    questionOf(name, field, form.required?.includes(name) ?? false),
  )
}

function questionOf(id: string, field: Field, required: boolean): Question {
  const title = field.title ?? id
  const base = { id, title, message: field.description ?? title, ...(required && { required }) }
  if (field.type === 'array') {
    const options = optionsOf(field, field.default ?? [])
    return {
      ...base,
      kind: 'multi-select',
      options,
      allowFreeformInput: false,
      ...range(field.minItems, field.maxItems),
    }
  }
  if (hasChoices(field)) {
    const options = optionsOf(field, field.default === undefined ? [] : [field.default])
    return { ...base, kind: 'single-select', options, allowFreeformInput: false }
  }
  switch (field.type) {
    case 'string':
      return {
        ...base,
        kind: 'text',
        ...(field.format !== undefined && { format: field.format }),
        ...range(field.minLength, field.maxLength),
        ...(field.default !== undefined && { defaultValue: field.default }),
      }
    case 'boolean':
      return { ...base, kind: 'boolean', ...(field.default !== undefined && { defaultValue: field.default }) }
    default:
      return {
        ...base,
        kind: field.type,
        ...range(field.minimum, field.maximum),
        ...(field.default !== undefined && { defaultValue: field.default }),
      }
  }
}

function optionsOf(field: ChoiceField | ChoicesField, preset: string[]): Option[] {
  return choicesOf(field).map(choice => ({
    id: choice.const,
    label: choice.title,
    ...(preset.includes(choice.const) && { recommended: true }),
  }))
}

function range(min: number | undefined, max: number | undefined): { min?: number; max?: number } {
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}
