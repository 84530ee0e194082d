import type { ChoiceField, ChoicesField, Field, TitledChoice } from './form.js'

/** The choices of a select, each with the words a person reads. */
export function choicesOf(field: ChoiceField | ChoicesField): TitledChoice[] {
  if (field.type === 'array') return 'anyOf' in field.items ? field.items.anyOf : untitled(field.items.enum)
  return 'oneOf' in field ? field.oneOf : untitled(field.enum, field.enumNames)
}

/** Whether a field offers choices. */
export function hasChoices(field: Field): field is ChoiceField | ChoicesField {
  return field.type === 'array' || 'enum' in field || 'oneOf' in field
}

/** Whether a value is one of a select's choices. */
export function hasChoice(field: ChoiceField | ChoicesField, value: unknown): boolean {
  const select = field.type === 'array' ? field.items : field
  if ('enum' in select) return select.enum.some(choice => choice === value)
  return ('oneOf' in select ? select.oneOf : select.anyOf).some(choice => choice.const === value)
}

/** Whether any of the choices reads otherwise than its value. */
export function isTitled(choices: TitledChoice[]): boolean {
  return choices.some(choice => choice.title !== choice.const)
}

function untitled(values: string[], names: string[] = values): TitledChoice[] {
  return values.map((value, index) => ({ const: value, title: names[index] ?? value }))
}
