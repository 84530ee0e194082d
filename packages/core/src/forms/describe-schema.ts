import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isRecord, isTexts } from '../collections/record.js'
import { InvalidFormError } from '../errors/index.js'
import { looksSensitive } from '../secrets/index.js'
import { fieldOf, refuseRules } from './field-of.js'
import type { Form } from './form.js'
import { type AskSchema, describesItself, isStandardSchema, type JsonSchema } from './schema.js'
import { spellOut } from './shorthand.js'

/** What an ask's schema comes to: worked out once for a schema. The form is shared, and therefore frozen. */
export interface DescribedSchema {
  readonly form: Form
  /** The property that holds the answer, when the answer is a bare value. */
  readonly bare: string | undefined
  /** The properties that look like secrets. */
  readonly sensitive: readonly string[]
  readonly validator: StandardSchemaV1 | undefined
}

const bareName = 'value'
const onlyText = { type: 'object', properties: { response: { type: 'string' } }, required: ['response'] }
const objectKeywords = ['type', 'title', 'description', 'properties', 'required', 'additionalProperties', '$defs']

/** Libraries refuse to describe what JSON Schema cannot say (a refinement, a transform). Each has its own "leave it out". */
const libraryOptions = {
  unrepresentable: 'any',
  errorMode: 'ignore',
  fallback: ({ base }: { base: unknown }): unknown => base,
}

const seen = new WeakMap<object, DescribedSchema>()

/** What is written as plain data is known by what it says: it may be another object each time, or say something else by now. */
const seenPlain = new Map<string, DescribedSchema>()
const maxPlain = 200
const maxPlainChars = 10_000

/** Works out the form of a schema, or throws an `InvalidFormError`. */
export function describeSchema(schema: AskSchema, jsonSchema?: object): DescribedSchema {
  if (jsonSchema !== undefined) return describe(schema, jsonSchema)
  if (typeof schema !== 'function' && !isStandardSchema(schema)) return describePlain(schema)
  const known = seen.get(schema)
  if (known !== undefined) return known
  const described = describe(schema)
  seen.set(schema, described)
  return described
}

function describePlain(schema: AskSchema): DescribedSchema {
  const said = JSON.stringify(schema)
  const known = seenPlain.get(said)
  if (known !== undefined) return known
  const described = describe(schema)
  if (said.length > maxPlainChars) return described
  if (seenPlain.size >= maxPlain) seenPlain.clear()
  seenPlain.set(said, described)
  return described
}

/** A schema as JSON Schema, before anything of it was looked at. */
export function jsonSchemaOf(schema: AskSchema): unknown {
  return isStandardSchema(schema) ? describeValidator(schema) : spellOut(schema)
}

function describe(schema: AskSchema, jsonSchema?: object): DescribedSchema {
  const validator = isStandardSchema(schema) ? schema : undefined
  const source = jsonSchema ?? jsonSchemaOf(schema)
  if (!isRecord(source)) throw invalid('it is not a JSON Schema', 'Pass an object')
  const properties = readProperties(source)
  if (jsonSchema !== undefined && properties === undefined) {
    throw invalid('`jsonSchema` is not that of an object', 'Write { type: "object", properties: { ... } }')
  }
  const bare = properties ? undefined : bareName
  const fields = Object.entries(properties ?? { [bareName]: source })
  const sensitive = fields
    .filter(([name, field]) => looksSensitive(name, isRecord(field) ? field : {}))
    .map(([name]) => name)
  const validated = validator !== undefined
  const form: Form = {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, fieldOf(properties && name, field, validated)]),
    ),
  }
  const required = properties ? readRequired(source, properties, validated) : [bareName]
  if (required.length > 0) form.required = required
  return { form: deepFreeze(form), bare, sensitive, validator }
}

function describeValidator(validator: StandardSchemaV1): unknown {
  if (!describesItself(validator)) return onlyText
  try {
    return validator['~standard'].jsonSchema.input({ target: 'draft-2020-12', libraryOptions })
  } catch (error) {
    throw invalid(
      `its library cannot describe it (${error instanceof Error ? error.message : error})`,
      'Pass jsonSchema beside it',
    )
  }
}

/** The properties of an object's schema; undefined for the schema of a bare value. */
function readProperties(schema: JsonSchema): JsonSchema | undefined {
  const members = schema.oneOf ?? schema.anyOf ?? schema.allOf
  const isObject = schema.type === 'object' || 'properties' in schema
  const isUnion =
    Array.isArray(members) && members.some(member => isRecord(member) && readProperties(member) !== undefined)
  const combinator = ['$ref', 'oneOf', 'anyOf', 'allOf', 'not'].find(keyword => keyword in schema)
  if (combinator !== undefined && (isObject || isUnion)) {
    throw invalid(`it has ${combinator} at the top`, 'Ask for one object with a fixed set of fields')
  }
  if (!isObject) return undefined
  if (isRecord(schema.additionalProperties) && Object.keys(schema.additionalProperties).length > 0) {
    throw invalid('its fields are not known beforehand', 'Name each field under `properties`')
  }
  return isRecord(schema.properties) ? schema.properties : {}
}

function readRequired(schema: JsonSchema, properties: JsonSchema, validated: boolean): string[] {
  if (!validated) refuseRules(undefined, schema, objectKeywords)
  const required = schema.required ?? []
  if (!isTexts(required) || !required.every(name => Object.hasOwn(properties, name))) {
    throw invalid('`required` names something that is not a property', 'Name only properties')
  }
  return [...new Set(required)]
}

function invalid(reason: string, remedy: string): InvalidFormError {
  return new InvalidFormError({ reason, remedy })
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (isRecord(inner) || Array.isArray(inner)) deepFreeze(inner)
  return Object.freeze(value)
}
