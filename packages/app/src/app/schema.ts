import type { Issue } from '@beckon/core'
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'

/** A JSON Schema as it is sent. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Either a value that fits its schema, or what is wrong with it. */
export type Validated = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: Issue[] }

/** Libraries refuse to describe what JSON Schema cannot say (a transform). Each has its own "leave it out". */
const libraryOptions = {
  unrepresentable: 'any',
  errorMode: 'ignore',
  fallback: ({ base }: { base: unknown }): unknown => base,
}

/** The JSON Schema of an action's input or output; of any object at all where the schema cannot describe itself. */
export function jsonSchemaOf(schema: StandardSchemaV1, side: 'input' | 'output'): JsonSchema {
  if (!describesItself(schema)) return { type: 'object' }
  const { $schema: _, ...described } = schema['~standard'].jsonSchema[side]({ target: 'draft-2020-12', libraryOptions })
  return described
}

export async function validate(schema: StandardSchemaV1 | undefined, value: unknown): Promise<Validated> {
  if (schema === undefined) return { value }
  const result = await schema['~standard'].validate(value)
  return result.issues === undefined ? { value: result.value } : { issues: result.issues.map(readIssue) }
}

function readIssue({ message, path = [] }: StandardSchemaV1.Issue): Issue {
  return { path: path.map(segment => String(typeof segment === 'object' ? segment.key : segment)), message }
}

function describesItself(schema: StandardSchemaV1): schema is StandardSchemaV1 & StandardJSONSchemaV1 {
  return 'jsonSchema' in schema['~standard']
}
