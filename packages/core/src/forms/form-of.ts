import { SensitiveFieldError } from '../errors/index.js'
import { describeSchema } from './describe-schema.js'
import type { Form } from './form.js'
import type { AskSchema } from './schema.js'

export interface FormOptions {
  /** Replaces the JSON Schema that the schema would give by itself. */
  jsonSchema?: object | undefined
  /** Properties that may be asked for although their names look like secrets. */
  allow?: readonly string[] | undefined
}

/**
 * The form that a schema asks for: ready to be sent, and frozen. A schema seen before costs one look-up.
 *
 * @example
 * formOf(z.object({ email: z.email() }))
 * // { type: 'object', properties: { email: { type: 'string', format: 'email' } }, required: ['email'] }
 *
 * @throws InvalidFormError for a shape that no form can carry, naming the property, the reason and what to write instead
 * @throws SensitiveFieldError for a field that looks like a secret
 */
export function formOf(schema: AskSchema, { jsonSchema, allow = [] }: FormOptions = {}): Form {
  const { form, sensitive } = describeSchema(schema, jsonSchema)
  const refused = sensitive.find(name => !allow.includes(name))
  if (refused !== undefined) throw new SensitiveFieldError(refused)
  return form
}
