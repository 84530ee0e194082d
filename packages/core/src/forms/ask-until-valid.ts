import type { Outcome } from '../ask/outcome.js'
import { AnswerInvalidError } from '../errors/index.js'
import { askAgain } from './ask-again.js'
import type { Form } from './form.js'
import { formOf } from './form-of.js'
import { isRecord } from './json-schema.js'
import { parseAnswer } from './parse-answer.js'
import { prefill } from './prefill.js'
import type { AnswerOf, AskSchema } from './schema.js'

/** What an author asks a person for. */
export interface ValidatedAsk<S extends AskSchema> {
  readonly question: string
  readonly schema: S
  /** Replaces the JSON Schema that the schema would give by itself. */
  readonly jsonSchema?: object | undefined
  /** Proposed values, so that a person approves with changes. */
  readonly initial?: unknown
  /** Properties that may be asked for although their names look like secrets. */
  readonly allow?: readonly string[] | undefined
  /** How often a person is asked. Default: 3. */
  readonly attempts?: number | undefined
}

/**
 * Asks a person until the answer fits, or they do not accept. Asked again, they are told why, and everything that they
 * typed is still there.
 *
 * @param ask sends a form to a person; `attempt` counts from 1
 * @throws AnswerInvalidError when no answer fits, as often as the person may be asked
 * @throws InvalidFormError, SensitiveFieldError as `formOf` does, before anyone is asked
 */
export async function askUntilValid<S extends AskSchema, O extends Outcome<unknown>>(
  wanted: ValidatedAsk<S>,
  ask: (asked: { question: string; form: Form }, attempt: number) => Promise<O>,
): Promise<O & Outcome<AnswerOf<S>>>
export async function askUntilValid(
  { question, schema, jsonSchema, initial, allow = [], attempts = 3 }: ValidatedAsk<AskSchema>,
  ask: (asked: { question: string; form: Form }, attempt: number) => Promise<Outcome<unknown>>,
): Promise<Outcome<unknown>> {
  const form = formOf(schema, { jsonSchema, allow })
  if (!(attempts >= 1)) throw new RangeError(`attempts is how often a person is asked: 1 or more, and not ${attempts}.`)
  const first = {
    question,
    form: initial === undefined ? form : prefill(form, isRecord(initial) ? initial : { value: initial }),
  }
  for (let attempt = 1, asked = first; ; attempt++) {
    const outcome = await ask(asked, attempt)
    if (outcome.action !== 'accept') return outcome
    const { content } = outcome
    const parsed = await parseAnswer(schema, content, jsonSchema)
    if (parsed.issues === undefined) return { ...outcome, content: parsed.value }
    if (attempt + 1 > attempts) throw new AnswerInvalidError(parsed.issues)
    asked = askAgain(first, { content, issues: parsed.issues, allow })
  }
}
