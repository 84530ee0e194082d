import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Content } from '../ask/outcome.js'
import { type Checked, checkContent } from './check-content.js'
import { describeSchema } from './describe-schema.js'
import type { AnswerOf, AskSchema } from './schema.js'
import { sayIssues, throwable } from './without-answer.js'

/**
 * Turns the content of an accepted ask into what its author gets: checked against the form, then validated by the
 * author's own schema, and bare where the schema is of a bare value. Nothing of the answer is in an issue, nor in what a
 * schema throws.
 */
export async function parseAnswer<S extends AskSchema>(
  schema: S,
  content: unknown,
  jsonSchema?: object,
): Promise<Checked<AnswerOf<S>>>
export async function parseAnswer(schema: AskSchema, content: unknown, jsonSchema?: object): Promise<Checked<unknown>> {
  const { form, bare, validator } = describeSchema(schema, jsonSchema)
  const checked = checkContent(form, content)
  if (checked.issues !== undefined) return checked
  const value = bare === undefined ? checked.value : checked.value[bare]
  if (validator === undefined) return { value }
  const result = await validated(validator, value, checked.value)
  if (result.issues === undefined) return { value: result.value }
  const validate = async (given: unknown) => validator['~standard'].validate(given)
  const said = await sayIssues(result.issues, checked.value, { validate, bare })
  const pathOf = (issue: StandardSchemaV1.Issue) => (bare === undefined ? propertyIn(issue, form.properties) : [bare])
  return { issues: said.map(({ issue, message }) => ({ path: pathOf(issue), message })) }
}

/** What a validator says, at once where it can. */
function validated(
  validator: StandardSchemaV1,
  value: unknown,
  content: Content,
): StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>> {
  const fail = (error: unknown): never => {
    throw throwable(error, content)
  }
  try {
    const result = validator['~standard'].validate(value)
    return result instanceof Promise ? result.catch(fail) : result
  } catch (error) {
    return fail(error)
  }
}

/** The property that an issue is about. What else is in its path may be of the answer. */
function propertyIn({ path: [first] = [] }: StandardSchemaV1.Issue, properties: object): string[] {
  const name = String(typeof first === 'object' ? first.key : first)
  return Object.hasOwn(properties, name) ? [name] : []
}
