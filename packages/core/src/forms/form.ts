// The flat JSON Schema that MCP allows in `requestedSchema`, as of 2025-11-25 and 2026-07-28. A `Form` is sent as it
// stands; `lowerForm` makes what an older revision knows.

interface FieldBase {
  title?: string
  description?: string
}

/** The string formats that the protocol names. */
export type TextFormat = 'email' | 'uri' | 'date' | 'date-time'

export interface TextField extends FieldBase {
  type: 'string'
  format?: TextFormat
  minLength?: number
  maxLength?: number
  default?: string
}

export interface NumberField extends FieldBase {
  type: 'number' | 'integer'
  minimum?: number
  maximum?: number
  default?: number
}

export interface BooleanField extends FieldBase {
  type: 'boolean'
  default?: boolean
}

/** A choice with the words a person reads. */
export interface TitledChoice {
  const: string
  title: string
}

/** One of: untitled, with the titles of 2025-06-18 beside it, or titled. */
export type ChoiceField = FieldBase & { type: 'string'; default?: string } & (
    | { enum: string[]; enumNames?: string[] }
    | { oneOf: TitledChoice[] }
  )

/** Any of. */
export interface ChoicesField extends FieldBase {
  type: 'array'
  items: { type: 'string'; enum: string[] } | { anyOf: TitledChoice[] }
  minItems?: number
  maxItems?: number
  default?: string[]
}

export type Field = TextField | NumberField | BooleanField | ChoiceField | ChoicesField

/** What is asked in one ask: an object of primitive fields, enums and multi-select enums. */
export interface Form {
  type: 'object'
  properties: Record<string, Field>
  required?: string[]
}
