import type { StandardSchemaV1 } from '@standard-schema/spec'
import { JsonSchemaValidator } from '#json-schema'

/** The schema of a tool's input or output: a Standard Schema, or a JSON Schema. */
export type ToolSchema = StandardSchemaV1 | { readonly type: 'object'; readonly [keyword: string]: unknown }

/** The type that a handler gets for an input schema. */
export type InputOf<S> = S extends StandardSchemaV1<unknown, infer Output> ? Output : Record<string, unknown>

/** The type that a handler gives for an output schema, before the schema has looked at it. */
export type OutputOf<S> = S extends StandardSchemaV1<infer Input, unknown> ? Input : object

/** A schema that can validate, and that is listed as JSON Schema. */
export interface ReadSchema {
  readonly json: Record<string, unknown>
  readonly validate: StandardSchemaV1['~standard']['validate']
}

const anyObject = { type: 'object' }

/** Reads a schema once, when a tool is registered. @throws TypeError for what is none, which would let everything pass */
export function readSchema(schema: ToolSchema, io: 'input' | 'output', whose = 'A tool'): ReadSchema {
  const notOfObject = (remedy: string) =>
    new TypeError(`${whose} has an \`${io}\` that is not a schema of an object. ${remedy}`)
  if (isStandard(schema)) {
    const json = describe(schema, io)
    // Clients refuse a whole list in which one schema is of something else.
    if (json.type !== 'object') throw notOfObject(`Put the ${json.type} in one: z.object({ value: ... }).`)
    return { json, validate: schema['~standard'].validate }
  }
  if (schema.type !== 'object') {
    const isShape = Object.values(schema).some(
      field => typeof field === 'object' && field !== null && '~standard' in field,
    )
    const remedy = isShape
      ? 'Wrap it: z.object({ ... }).'
      : 'Give a Standard Schema, or a JSON Schema with type: "object".'
    throw notOfObject(remedy)
  }
  return { json: { ...schema }, validate: validatorOf(schema) }
}

let validator: JsonSchemaValidator | undefined

/** The SDK's own validator, so that a plain JSON Schema holds what it says. */
function validatorOf(schema: Record<string, unknown>): ReadSchema['validate'] {
  validator ??= new JsonSchemaValidator()
  const check = validator.getValidator(schema)
  return value => {
    const { valid, data, errorMessage } = check(value)
    return valid ? { value: data } : { issues: [{ message: errorMessage ?? 'Invalid' }] }
  }
}

function describe(schema: StandardSchemaV1, io: 'input' | 'output'): Record<string, unknown> {
  const standard = schema['~standard']
  if (!isDescribed(standard)) return anyObject
  const { jsonSchema } = standard
  // MCP means this dialect where none is named, and validators of older clients refuse a name that they do not know.
  const { $schema: _, ...described } = jsonSchema[io]({ target: 'draft-2020-12' })
  return { ...anyObject, ...described }
}

/** By the Standard JSON Schema interface. */
interface Described {
  readonly jsonSchema: Record<'input' | 'output', (options: { target: string }) => Record<string, unknown>>
}

function isDescribed(standard: object): standard is Described {
  return 'jsonSchema' in standard
}

function isStandard(schema: ToolSchema): schema is StandardSchemaV1 {
  return '~standard' in schema
}
