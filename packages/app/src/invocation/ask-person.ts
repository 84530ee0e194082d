import {
  type AnsweredBy,
  type AnswerOf,
  AskExpiredError,
  type AskSchema,
  askUntilValid,
  CallCancelledError,
  ElicitationNotAvailableError,
  type Form,
  InvalidFormError,
  type NoAnswer,
  type Outcome,
  UnauthorizedError,
} from '@beckon/core'
import { errorCodes, isRecord, RpcError } from '@beckon/core/json-rpc'
import type { Confirm, ConfirmOptions, ConfirmOutcome, ElicitOptions } from '../app/context.js'
import { protocolCodes } from '../protocol/protocol-codes.js'
import { type ShownQuestion, shownQuestion } from './shown-question.js'

/** Puts a question to the person of an invocation. */
export interface Asking {
  /** Whether the agent has a way to ask, as far as this app was told. */
  canAsk(): boolean
  /** The gateway's reply, whatever it is. */
  ask(question: ShownQuestion, schema: object): Promise<unknown>
}

/** What a confirm asks for: nothing but a yes. */
const yesOrNo = { type: 'object', properties: {}, required: [] }

export function confirmWith(asking: Asking): Confirm {
  const outcome = (question: string | ConfirmOptions) => confirm(asking, question)
  return Object.assign(async (question: string | ConfirmOptions) => (await outcome(question)).action === 'accept', {
    outcome,
  })
}

async function confirm(asking: Asking, given: string | ConfirmOptions): Promise<ConfirmOutcome> {
  const { question, show = [] } = typeof given === 'string' ? { question: given } : given
  if (!asking.canAsk()) return { action: 'cancel', why: 'no-capability' }
  const shown = await shownQuestion(question, show)
  try {
    return confirmOutcome(await asking.ask(shown, yesOrNo))
  } catch (error) {
    const isOver = error instanceof RpcError && error.code === protocolCodes.timeout
    return { action: 'cancel', why: isOver ? 'expired' : 'no-capability' }
  }
}

/** What a gateway says of a yes or no. Not all of them say more than what was done. */
function confirmOutcome(reply: unknown): ConfirmOutcome {
  const { action, reason, by, why } = isRecord(reply) ? reply : {}
  const who = Array.isArray(by) ? { by: by.filter(isAnsweredBy) } : {}
  if (action === 'accept') return { action, ...who }
  const known = noAnswers.find(one => one === why)
  // Where nobody answered nobody declined, whatever it is called.
  if (known !== undefined) return { action: 'cancel', why: known }
  if (action === 'decline') return { action, ...(typeof reason === 'string' && { reason }), ...who }
  return { action: 'cancel', ...who }
}

const noAnswers: readonly NoAnswer[] = ['expired', 'withdrawn', 'no-capability', 'no-person']

function isAnsweredBy(value: unknown): value is AnsweredBy {
  return isRecord(value) && [value.principal, value.rule, value.name].some(one => typeof one === 'string')
}

export async function elicit<S extends AskSchema>(
  asking: Asking,
  options: ElicitOptions<S>,
): Promise<AnswerOf<S> | null> {
  const { show } = options
  const outcome = await askUntilValid(options, async ({ question, form }) =>
    outcomeOf(asking, await shownQuestion(question, show), form),
  )
  return outcome.action === 'accept' ? outcome.content : null
}

async function outcomeOf(asking: Asking, shown: ShownQuestion, form: Form): Promise<Outcome<unknown>> {
  if (!asking.canAsk()) throw new ElicitationNotAvailableError('form')
  const reply = await asking.ask(shown, form).catch(error => {
    throw elicitError(error, shown.question)
  })
  if (!isRecord(reply)) throw unavailable(reply)
  if (reply.action === 'accept') return { action: 'accept', content: reply.value }
  if (reply.action === 'decline' || reply.action === 'cancel') return { action: reply.action }
  throw unavailable(reply)
}

/** What a gateway's error is to the author: one that the protocol has a word for is that, and any other is what it is. */
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
    default: {
      const known = unavailable(error)
      return error.code === known.code ? known : error
    }
  }
}

function unavailable(cause: unknown): ElicitationNotAvailableError {
  return Object.assign(new ElicitationNotAvailableError('form'), { cause })
}
