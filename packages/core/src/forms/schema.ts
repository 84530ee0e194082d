import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { Content } from '../ask/outcome.js'

/**
 * A short way to write a form with one field, whose answer is the bare value: `['red', 'green']` is one of,
 * `[['red', 'green']]` any of, `{ low: 'Low priority', high: 'High priority' }` one of with titles, and `String`,
 * `Number` and `Boolean` are what they say.
 */
export type Shorthand =
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | readonly string[]
  | readonly [readonly string[]]
  | { readonly [value: string]: string }

/** A JSON Schema as it comes from a caller or a library: nothing about it is known yet. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A JSON Schema: of a flat object, or of one field, whose answer is then the bare value. */
export interface FormSchema {
  readonly type: string
  readonly [keyword: string]: unknown
}

/** Whatever an ask can be described with. */
export type AskSchema = StandardSchemaV1 | Shorthand | FormSchema

/** The type of a validated answer to a schema. */
export type AnswerOf<S> =
  S extends StandardSchemaV1<unknown, infer Output>
    ? Output
    : S extends { readonly type: 'file' | 'choice'; readonly '~answer'?: infer Answer }
      ? Exclude<Answer, undefined>
      : S extends StringConstructor
        ? string
        : S extends NumberConstructor
          ? number
          : S extends BooleanConstructor
            ? boolean
            : S extends readonly [readonly (infer Choice extends string)[]]
              ? Choice[]
              : S extends readonly (infer Choice extends string)[]
                ? Choice
                : S extends { readonly type: 'object'; readonly properties: infer Properties }
                  ? ObjectAnswer<Properties, S extends { readonly required: readonly (infer Name)[] } ? Name : never>
                  : S extends { readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' }
                    ? FieldAnswer<S>
                    : S extends { readonly [value: string]: string }
                      ? keyof S & string
                      : Content

type ObjectAnswer<Properties, Required> = string extends keyof Properties
  ? Content
  : { [Name in keyof Properties as Name extends Required ? Name : never]: FieldAnswer<Properties[Name]> } & {
      [Name in keyof Properties as Name extends Required ? never : Name]?: FieldAnswer<Properties[Name]>
    }

type FieldAnswer<Schema> = Schema extends { readonly type: 'file'; readonly '~answer'?: infer Answer }
  ? Exclude<Answer, undefined>
  : Schema extends { readonly enum: readonly (infer Choice extends string)[] }
    ? Choice
    : Schema extends { readonly oneOf: readonly { readonly const: infer Choice extends string }[] }
      ? Choice
      : Schema extends { readonly anyOf: readonly { readonly const: infer Choice extends string }[] }
        ? Choice
        : Schema extends { readonly type: 'array'; readonly items: infer Items }
          ? FieldAnswer<Items>[]
          : Schema extends { readonly type: infer Type }
            ? FieldTypes[Type & keyof FieldTypes]
            : never

interface FieldTypes {
  string: string
  number: number
  integer: number
  boolean: boolean
}

/** Whether a schema can validate, by the Standard Schema interface. */
export function isStandardSchema(schema: unknown): schema is StandardSchemaV1 {
  return (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema
}

/** Whether a schema can also describe itself as JSON Schema. */
export function describesItself(schema: StandardSchemaV1): schema is StandardSchemaV1 & StandardJSONSchemaV1 {
  return 'jsonSchema' in schema['~standard']
}
