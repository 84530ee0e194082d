// How an ask with a widget travels. Hosts check an answer against the flat form that was sent, so one of any other shape is
// carried in it: as the author's own form, or as one field of JSON. What the author's schema says holds in every case.
import {
  type AskSchema,
  type Content,
  formOf,
  InvalidFormError,
  looksSensitive,
  SensitiveFieldError,
} from '@beckon/core'
import { jsonField, jsonForm } from '@beckon/core/widgets'
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { CarriedAsk, CarryOptions } from '../author/widget.js'
import type { WidgetForm } from './define-widget.js'

interface Carrier {
  readonly schema: AskSchema
  readonly form: WidgetForm | undefined
}

/** A schema that validates what came in a form, and describes that form. */
type FormValidator = StandardSchemaV1<unknown, unknown> & StandardJSONSchemaV1<unknown, unknown>

export function carry(
  { schema: wanted, jsonSchema, allow = [], initial }: CarryOptions,
  { schema: own, form }: Carrier,
): CarriedAsk {
  const schema = wanted ?? own
  if (jsonSchema !== undefined) return { schema, isJson: false, initial }
  if (form !== undefined) {
    const content = initial === undefined ? undefined : form.toContent?.(initial)
    return { schema: validatorFor(schema, form, allow), isJson: false, initial: content }
  }
  if (isFlat(schema, allow)) return { schema, isJson: false, initial }
  const text = initial === undefined ? undefined : { [jsonField]: JSON.stringify(initial) }
  return { schema: validatorFor(schema, jsonCarrier(schema), allow), isJson: true, initial: text }
}

function isFlat(schema: AskSchema, allow: readonly string[]): boolean {
  try {
    formOf(schema, { allow })
    return true
  } catch (error) {
    if (!(error instanceof InvalidFormError)) throw error
    return false
  }
}

/** One for each schema, or for each form of one: what a form is made of is worked out once. */
const validators = new WeakMap<object, WeakMap<object, FormValidator>>()
const carriers = new WeakMap<object, WidgetForm>()

function validatorFor(schema: AskSchema, form: WidgetForm, allow: readonly string[]): FormValidator {
  refuseSecrets(schema, allow)
  const known = validators.get(schema) ?? new WeakMap<object, FormValidator>()
  validators.set(schema, known)
  const validator = known.get(form) ?? formValidator(schema, form)
  known.set(form, validator)
  return validator
}

function jsonCarrier(schema: AskSchema): WidgetForm {
  const known = carriers.get(schema)
  if (known !== undefined) return known
  const described = JSON.stringify(jsonSchemaOf(schema) ?? {})
  const shape =
    described.length > 2 && described.length <= maxDescribed ? ` It fits this JSON Schema: ${described}` : ''
  const carrier: WidgetForm = {
    schema: { ...jsonForm('Answer', `The answer, as JSON.${shape}`) },
    toValue: ({ [jsonField]: text }) => JSON.parse(String(text)),
  }
  carriers.set(schema, carrier)
  return carrier
}

/** A person who has to write JSON by hand is told what it has to be, within reason. */
const maxDescribed = 2_000

function formValidator(schema: AskSchema, form: WidgetForm): FormValidator {
  if (!isValidator(schema))
    throw new InvalidFormError({
      reason: 'it is not flat, and nothing would check the answer',
      remedy: 'Use a schema that validates, such as those of Zod, Valibot and ArkType',
    })
  const [path] = Object.keys(form.schema.properties as object)
  const issues = [{ message: 'This is not the JSON that was asked for.', path: path === undefined ? [] : [path] }]
  return {
    '~standard': {
      version: 1,
      vendor: 'beckon',
      jsonSchema: { input: () => ({ ...form.schema }), output: () => ({ ...form.schema }) },
      async validate(content) {
        let value: unknown
        try {
          // What fits the form is its content.
          value = form.toValue(content as Content)
        } catch {
          return { issues }
        }
        const result = await schema['~standard'].validate(value)
        // What an issue is about is somewhere in the answer, and not a field of the form.
        return result.issues === undefined ? result : { issues: result.issues.map(issue => ({ ...issue, path: [] })) }
      },
    },
  }
}

function isValidator(schema: object): schema is StandardSchemaV1 {
  return '~standard' in schema
}

function jsonSchemaOf(schema: AskSchema): unknown {
  if (!isValidator(schema)) return schema
  const { jsonSchema } = schema['~standard'] as StandardSchemaV1['~standard'] &
    Partial<StandardJSONSchemaV1['~standard']>
  try {
    return jsonSchema?.input({ target: 'draft-2020-12', libraryOptions: { unrepresentable: 'any' } })
  } catch {
    return undefined
  }
}

/** A secret is one however deep it is asked for. */
function refuseSecrets(schema: AskSchema, allow: readonly string[]): void {
  const refused = secretsIn(jsonSchemaOf(schema), maxDepth).find(name => !allow.includes(name))
  if (refused !== undefined) throw new SensitiveFieldError(refused)
}

const maxDepth = 40

function secretsIn(schema: unknown, levels: number): string[] {
  if (typeof schema !== 'object' || schema === null || levels === 0) return []
  const { properties } = schema as { properties?: unknown }
  const named = typeof properties === 'object' && properties !== null ? Object.entries(properties) : []
  const own = named.filter(([name, field]) => looksSensitive(name, typeof field === 'object' ? field : {}))
  return [...own.map(([name]) => name), ...Object.values(schema).flatMap(inner => secretsIn(inner, levels - 1))]
}
