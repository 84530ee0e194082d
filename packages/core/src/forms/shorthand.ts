import { isRecord, isTexts } from '../collections/record.js'
import { InvalidFormError } from '../errors/index.js'
import type { FormSchema, JsonSchema, Shorthand } from './schema.js'

const primitives = new Map<unknown, JsonSchema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
])
const jsonTypes = ['object', 'string', 'number', 'integer', 'boolean', 'array', 'null']

/** A shorthand written out as JSON Schema. What is a JSON Schema already comes back as it is. */
export function spellOut(schema: Shorthand | FormSchema): JsonSchema {
  const primitive = primitives.get(schema)
  if (primitive !== undefined) return primitive
  if (isTexts(schema)) return { type: 'string', enum: schema }
  if (Array.isArray(schema) && schema.length === 1 && isTexts(schema[0])) {
    return { type: 'array', items: { type: 'string', enum: schema[0] } }
  }
  if (!isRecord(schema)) {
    throw new InvalidFormError({
      reason: 'it is neither a schema nor a shorthand for one',
      remedy: "Pass ['a', 'b'] for one of, [['a', 'b']] for any of, String, Number, Boolean or a schema",
    })
  }
  if (!isTitles(schema)) return schema
  return { type: 'string', oneOf: Object.entries(schema).map(([value, title]) => ({ const: value, title })) }
}

/** A JSON Schema of nothing but texts, such as `{ type: 'string' }`, is not a choice named "type". */
function isTitles(schema: Record<string, unknown>): schema is Record<string, string> {
  return isTexts(Object.values(schema)) && !jsonTypes.includes(`${schema.type}`)
}
