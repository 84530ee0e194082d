import type { Outcome } from '../ask/outcome.js'
import { isRecord } from '../collections/record.js'
import { AnswerInvalidError } from '../errors/index.js'
import { askAgain } from './ask-again.js'
import type { Form } from './form.js'
import { formOf } from './form-of.js'
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

type Send<Sent> = (asked: { question: string; form: Form }, attempt: number) => Promise<Sent>

/** An ask and what becomes of it. An object, since a suspended call would hold every function and every frame that waits. */
export interface AskSteps<Sent, Given> {
  /** Sends a form to a person; `attempt` counts from 1. */
  send(asked: { question: string; form: Form }, attempt: number): Promise<Sent>
  /** What the person answered, from what was sent back. */
  outcomeOf(sent: Sent): Outcome<unknown>
  /** What the author gets. */
  give(outcome: Outcome<unknown>): Given
}

/**
 * Asks a person until the answer fits, or they do not accept. Asked again, they are told why, and everything that they
 * typed is still there.
 *
 * @param ask sends a form to a person; `attempt` counts from 1
 * @throws AnswerInvalidError when no answer fits, as often as the person may be asked
 * @throws InvalidFormError, SensitiveFieldError as `formOf` does, before anyone is asked
 */
export function askUntilValid<S extends AskSchema, O extends Outcome<unknown>>(
  wanted: ValidatedAsk<S>,
  ask: Send<O>,
): Promise<O & Outcome<AnswerOf<S>>>
export function askUntilValid<Sent, Given>(wanted: ValidatedAsk<AskSchema>, ask: AskSteps<Sent, Given>): Promise<Given>
export async function askUntilValid(
  { question, schema, jsonSchema, initial, allow = [], attempts = 3 }: ValidatedAsk<AskSchema>,
  ask: Send<Outcome<unknown>> | AskSteps<unknown, unknown>,
): Promise<unknown> {
  const form = formOf(schema, { jsonSchema, allow })
  if (!(attempts >= 1)) throw new RangeError(`attempts is how often a person is asked: 1 or more, and not ${attempts}.`)
  const steps = typeof ask === 'function' ? stepsOf(ask) : ask
  const first = {
    question,
    form: initial === undefined ? form : prefill(form, isRecord(initial) ? initial : { value: initial }),
  }
  for (let attempt = 1, asked = first; ; attempt++) {
    const outcome = steps.outcomeOf(await steps.send(asked, attempt))
    if (outcome.action !== 'accept') return steps.give(outcome)
    const { content } = outcome
    const parsed = await parseAnswer(schema, content, jsonSchema)
    if (parsed.issues === undefined) return steps.give({ ...outcome, content: parsed.value })
    if (attempt + 1 > attempts) throw new AnswerInvalidError(parsed.issues)
    asked = askAgain(first, { content, issues: parsed.issues, allow })
  }
}

function stepsOf(send: Send<Outcome<unknown>>): AskSteps<Outcome<unknown>, Outcome<unknown>> {
  return { send, outcomeOf: outcome => outcome, give: outcome => outcome }
}
