/** A JSON Schema as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

export function object(
  required: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema {
  return { type: 'object', properties: { ...required, ...optional }, required: Object.keys(required) }
}

/** As `object`, and nothing else in it: for what a client sends. */
export function exactly(
  required: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema {
  return { ...object(required, optional), additionalProperties: false }
}

/** What such an object may have. */
export function propertiesOf({ properties = {} }: Schema = {}): readonly string[] {
  return Object.keys(properties as object)
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items }
}
