import {
  AnswerInvalidError,
  type AnswerOf,
  AskExpiredError,
  type AskSchema,
  askAgain,
  CallCancelledError,
  ElicitationNotAvailableError,
  type Form,
  formOf,
  InvalidFormError,
  type Issue,
  parseAnswer,
  prefill,
  UnauthorizedError,
} from '@beckon/core'
import { errorCodes, isRecord, RpcError } from '@beckon/core/json-rpc'
import { protocolCodes } from '../protocol/protocol-codes.js'
import type { ConfirmOptions, ElicitOptions } from './context.js'

/** Puts a question to the person of an invocation. */
export interface Asking {
  /** Whether the agent has a way to ask, as far as this app was told. */
  canAsk(): boolean
  /** The gateway's reply, whatever it is. */
  ask(question: string, schema: object): Promise<unknown>
}

/** What a confirm asks for: nothing but a yes. */
const yesOrNo = { type: 'object', properties: {}, required: [] }
const defaultAttempts = 3

export async function confirm(asking: Asking, given: string | ConfirmOptions): Promise<boolean> {
  const { question } = typeof given === 'string' ? { question: given } : given
  if (!asking.canAsk()) return false
  const reply = await asking.ask(question, yesOrNo).catch(() => undefined)
  return isRecord(reply) && reply.action === 'accept'
}

export async function elicit<S extends AskSchema>(
  asking: Asking,
  { question, schema, jsonSchema, initial, allow = [], attempts = defaultAttempts }: ElicitOptions<S>,
): Promise<AnswerOf<S> | null> {
  const form = formOf(schema, jsonSchema === undefined ? { allow } : { allow, jsonSchema })
  const proposed = initial === undefined ? form : prefill(form, isRecord(initial) ? initial : { value: initial })
  if (!(attempts >= 1)) throw new RangeError(`attempts is how often a person is asked: 1 or more, and not ${attempts}.`)
  let issues: Issue[] = []
  let next = { question, form: proposed }
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const accepted = await put(asking, next.question, next.form)
    if (accepted === undefined) return null
    const parsed = await parseAnswer(schema, accepted.content, jsonSchema)
    if (parsed.issues === undefined) return parsed.value
    issues = parsed.issues
    next = askAgain({ question, form: proposed }, { content: accepted.content, issues, allow })
  }
  throw new AnswerInvalidError(issues)
}

/** The content of an accepted form, if the person did accept. */
async function put(asking: Asking, question: string, form: Form): Promise<{ content: unknown } | undefined> {
  if (!asking.canAsk()) throw new ElicitationNotAvailableError('form')
  const reply = await asking.ask(question, form).catch(error => {
    throw elicitError(error, question)
  })
  if (!isRecord(reply)) throw unavailable(reply)
  if (reply.action === 'decline' || reply.action === 'cancel') return undefined
  if (reply.action !== 'accept') throw unavailable(reply)
  return { content: reply.value }
}

/** What a gateway's error is to the author. The gateway's own failure is not the action's. */
function elicitError(error: unknown, question: string): unknown {
  if (!(error instanceof RpcError)) return error
  switch (error.code) {
    case errorCodes.invalidParams:
      return new InvalidFormError({
        reason: `the gateway refused it (${error.message.replace(/\.$/, '')})`,
        remedy: 'Ask for one flat object',
      })
    case protocolCodes.cancelled:
      return new CallCancelledError()
    case protocolCodes.timeout:
      return new AskExpiredError(question)
    case protocolCodes.unauthorized:
      return new UnauthorizedError('This app may not ask anyone now: it is not claimed, or this invocation is over.')
    default:
      return unavailable(error)
  }
}

function unavailable(cause: unknown): ElicitationNotAvailableError {
  return Object.assign(new ElicitationNotAvailableError('form'), { cause })
}
