import { isRecord, isTexts } from '../collections/record.js'
import { InvalidFormError } from '../errors/index.js'
import { fits } from './check-field.js'
import { isTitled } from './choices.js'
import type { Field, NumberField, TextField, TitledChoice } from './form.js'
import { isTextFormat } from './formats.js'
import type { JsonSchema } from './schema.js'

// One property of a JSON Schema as a field. A shape that the protocol cannot carry throws. A rule that it cannot carry
// is left out where the author's own validator stands behind the form, and throws where nothing would enforce it.

/** Keywords that say nothing about which values are valid, or that libraries add without need. */
const silent = /^(?:\$schema|\$id|\$comment|\$anchor|examples|deprecated|readOnly|writeOnly|x-.*)$/
const shared = ['type', 'title', 'description', 'default']
const keywords = {
  text: [...shared, 'format', 'minLength', 'maxLength'],
  number: [...shared, 'minimum', 'maximum'],
  boolean: shared,
  choice: [...shared, 'enum', 'enumNames', 'oneOf', 'anyOf', 'const'],
  choices: [...shared, 'items', 'minItems', 'maxItems'],
}

/** The field for a property, or for a bare value when there is no name; else an `InvalidFormError` that names it. */
export function fieldOf(name: string | undefined, schema: unknown, validated: boolean): Field {
  if (!isRecord(schema)) throw untyped(name)
  if ('$ref' in schema) throw invalid(name, 'it is a $ref', 'Write its schema in place')
  const field = shapeOf(name, schema, validated)
  return describe(field, name, schema, validated)
}

/** Throws for a keyword that nothing would enforce. */
export function refuseRules(name: string | undefined, schema: JsonSchema, known: readonly string[]): void {
  for (const keyword of Object.keys(schema)) {
    if (known.includes(keyword) || silent.test(keyword)) continue
    throw invalid(
      name,
      `a plain JSON Schema has nothing to enforce the rule "${keyword}"`,
      'Leave it out, or pass a Zod, Valibot or ArkType schema',
    )
  }
}

function shapeOf(name: string | undefined, schema: JsonSchema, validated: boolean): Field {
  const accept = (known: readonly string[]) => validated || refuseRules(name, schema, known)
  const choices = readChoices(schema)
  if (choices !== undefined) {
    accept(keywords.choice)
    return choiceField(name, schema, choices)
  }
  switch (schema.type) {
    case 'string':
      accept(keywords.text)
      return textField(name, schema, validated)
    case 'number':
    case 'integer':
      accept(keywords.number)
      return numberField(name, schema, schema.type, validated)
    case 'boolean':
      accept(keywords.boolean)
      return { type: 'boolean' }
    case 'array':
      accept(keywords.choices)
      return choicesField(name, schema, validated)
    case 'object':
      throw invalid(name, 'it is an object, and a form is flat', 'Ask for its parts as fields of their own')
    default:
      if (isNullable(schema)) throw invalid(name, 'it may be null', 'Make it optional instead')
      if ('enum' in schema || 'const' in schema)
        throw invalid(name, 'its choices are not all texts', 'Write them as strings')
      if (!Array.isArray(schema.type ?? schema.anyOf ?? schema.oneOf)) throw untyped(name)
      throw invalid(name, 'it is a union of types', 'Choose one type, or ask for each in its own field')
  }
}

function textField(name: string | undefined, schema: JsonSchema, validated: boolean): TextField {
  const { format } = schema
  if (!validated && format !== undefined && !isTextFormat(format)) {
    throw invalid(name, `the format "${format}" cannot be sent`, 'Use email, uri, date or date-time, or leave it out')
  }
  const field: TextField = { type: 'string' }
  if (isTextFormat(format)) field.format = format
  return Object.assign(field, bounds(name, schema, validated, ['minLength', 'maxLength']))
}

function numberField(
  name: string | undefined,
  schema: JsonSchema,
  type: NumberField['type'],
  validated: boolean,
): NumberField {
  const field: NumberField = { type, ...bounds(name, schema, validated, ['minimum', 'maximum']) }
  // Libraries bound every integer by what a double can count.
  if (field.minimum === Number.MIN_SAFE_INTEGER) delete field.minimum
  if (field.maximum === Number.MAX_SAFE_INTEGER) delete field.maximum
  return field
}

function choiceField(name: string | undefined, schema: JsonSchema, choices: TitledChoice[]): Field {
  const values = valuesOf(name, choices)
  if (isTexts(schema.enumNames) && schema.enumNames.length === values.length) {
    return { type: 'string', enum: values, enumNames: [...schema.enumNames] }
  }
  return isTitled(choices) ? { type: 'string', oneOf: choices } : { type: 'string', enum: values }
}

function choicesField(name: string | undefined, schema: JsonSchema, validated: boolean): Field {
  const choices = isRecord(schema.items) ? readChoices(schema.items) : undefined
  if (choices === undefined) {
    throw invalid(
      name,
      'it is a list of something other than choices',
      'List the choices in `items`, or ask for one text',
    )
  }
  const values = valuesOf(name, choices)
  const items = isTitled(choices) ? { anyOf: choices } : { type: 'string' as const, enum: values }
  return { type: 'array', items, ...bounds(name, schema, validated, ['minItems', 'maxItems']) }
}

/** The choices that a schema lists, as an enum, a constant or a union of those; undefined when it is not a list of texts. */
function readChoices(schema: JsonSchema, title?: unknown): TitledChoice[] | undefined {
  if (schema.type !== undefined && schema.type !== 'string') return undefined
  if (isTexts(schema.enum)) return schema.enum.map(value => ({ const: value, title: value }))
  if (typeof schema.const === 'string') {
    return [{ const: schema.const, title: typeof title === 'string' ? title : schema.const }]
  }
  const union = schema.oneOf ?? schema.anyOf
  if (!Array.isArray(union)) return undefined
  const members = union.map(member => (isRecord(member) ? readChoices(member, member.title) : undefined))
  return members.every(member => member !== undefined) ? members.flat() : undefined
}

function valuesOf(name: string | undefined, choices: TitledChoice[]): string[] {
  const values = choices.map(choice => choice.const)
  if (values.length === 0) throw invalid(name, 'it has no choices', 'List at least one')
  if (new Set(values).size < values.length) throw invalid(name, 'it lists a choice twice', 'List each once')
  return values
}

function bounds<K extends string>(
  name: string | undefined,
  schema: JsonSchema,
  validated: boolean,
  names: K[],
): { [P in K]?: number } {
  const found: { [P in K]?: number } = {}
  for (const key of names) {
    const bound = schema[key]
    if (typeof bound === 'number') found[key] = bound
    else if (bound !== undefined && !validated) throw invalid(name, `its ${key} is not a number`, 'Write a number')
  }
  return found
}

function describe(field: Field, name: string | undefined, schema: JsonSchema, validated: boolean): Field {
  if (typeof schema.title === 'string') field.title = schema.title
  if (typeof schema.description === 'string') field.description = schema.description
  if (schema.default === undefined) return field
  const preset = schema.default
  if (fits(field, preset)) return Object.assign(field, { default: Array.isArray(preset) ? [...preset] : preset })
  if (validated) return field
  throw invalid(name, 'its default is not one of its own values', 'Correct the default')
}

function isNullable(schema: JsonSchema): boolean {
  const members = schema.anyOf ?? schema.oneOf ?? schema.type
  const isNull = (member: unknown) => member === 'null' || (isRecord(member) && member.type === 'null')
  return [members].flat().some(isNull)
}

function untyped(name: string | undefined): InvalidFormError {
  return invalid(
    name,
    'it has no type that a form knows',
    'Make it a string, number, integer, boolean or list of choices',
  )
}

function invalid(property: string | undefined, reason: string, remedy: string): InvalidFormError {
  return new InvalidFormError({ property, reason, remedy })
}
