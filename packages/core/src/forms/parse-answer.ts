import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Issue } from '../errors/index.js'
import { type Checked, checkContent } from './check-content.js'
import { describeSchema } from './describe-schema.js'
import type { AnswerOf, AskSchema } from './schema.js'

/**
 * Turns the content of an accepted ask into what its author gets: checked against the form, then validated by the
 * author's own schema, and bare where the schema is of a bare value.
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
  const result = await validator['~standard'].validate(value)
  return result.issues === undefined
    ? { value: result.value }
    : { issues: result.issues.map(issue => readIssue(issue, bare)) }
}

function readIssue({ message, path = [] }: StandardSchemaV1.Issue, bare: string | undefined): Issue {
  const keys = path.map(segment => String(typeof segment === 'object' ? segment.key : segment))
  return { path: bare === undefined ? keys : [bare], message }
}
