import { given } from '../collections/record.js'
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
    const bounds = given({ min: field.minItems, max: field.maxItems })
    return { ...base, kind: 'multi-select', options, allowFreeformInput: false, ...bounds }
  }
  if (hasChoices(field)) {
    const options = optionsOf(field, field.default === undefined ? [] : [field.default])
    return { ...base, kind: 'single-select', options, allowFreeformInput: false }
  }
  switch (field.type) {
    case 'string': {
      const { format, minLength: min, maxLength: max, default: defaultValue } = field
      return { ...base, kind: 'text', ...given({ format, min, max, defaultValue }) }
    }
    case 'boolean':
      return { ...base, kind: 'boolean', ...given({ defaultValue: field.default }) }
    default: {
      const { minimum: min, maximum: max, default: defaultValue } = field
      return { ...base, kind: field.type, ...given({ min, max, defaultValue }) }
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
