import { BeckonError } from './beckon-error.js'
import { type Issue, inWords } from './issue.js'

/** A schema that no form can carry. Thrown where the ask is made, before anything is sent. */
export class InvalidFormError extends BeckonError {
  protected static override readonly kind = 'InvalidForm'
  /** The property that cannot be asked for, or undefined when it is the schema as a whole. */
  readonly property: string | undefined
  readonly reason: string
  readonly remedy: string

  constructor({ property, reason, remedy }: { property?: string | undefined; reason: string; remedy: string }) {
    super(`${property === undefined ? 'This schema' : `"${property}"`} cannot be a form: ${reason}. ${remedy}.`)
    this.property = property
    this.reason = reason
    this.remedy = remedy
  }
}

/** A form that asks for a secret, which the protocol forbids: it would pass through the client and the model. */
export class SensitiveFieldError extends BeckonError {
  protected static override readonly kind = 'SensitiveField'
  readonly property: string

  constructor(property: string) {
    super(
      `"${property}" looks like a secret, which a form must not ask for. Ask for it with credentials() or ctx.elicit.url(). ` +
        `If it is not a secret, say so: allow: ['${property}'].`,
    )
    this.property = property
  }
}

/** The connected client cannot show this ask to a person. */
export class ElicitationNotAvailableError extends BeckonError {
  protected static override readonly kind = 'ElicitationNotAvailable'
  /** What the client would have to declare. */
  readonly mode: 'form' | 'url'

  constructor(mode: 'form' | 'url' = 'form', options?: ErrorOptions) {
    super(
      options?.cause === undefined
        ? `The client cannot show a ${mode} to a person. Check ctx.canAsk.${mode} first, or set a fallback on the server.`
        : `Nobody could be asked: showing the ${mode} failed.`,
      options,
    )
    this.mode = mode
  }
}

/** The answers given did not fit, as often as they may be asked for. */
export class AnswerInvalidError extends BeckonError {
  protected static override readonly kind = 'AnswerInvalid'
  readonly issues: Issue[]

  constructor(issues: Issue[]) {
    super(`The answer does not fit what was asked. ${inWords(issues)}`)
    this.issues = issues
  }
}

/** Nobody answered in time; the ask was withdrawn. */
export class AskExpiredError extends BeckonError {
  protected static override readonly kind = 'AskExpired'

  constructor(askId: string) {
    super(`Nobody answered the ask "${askId}" in time, and it was withdrawn. Call the tool again to repeat it.`)
  }
}

/** The call was cancelled while it waited; its open asks were withdrawn. */
export class CallCancelledError extends BeckonError {
  protected static override readonly kind = 'CallCancelled'

  constructor(reason = 'The call was cancelled, and its open asks were withdrawn.') {
    super(reason)
  }
}

/** A `requestState` that is forged, foreign, expired, used or cut short. Nothing ran. */
export class StateRejectedError extends BeckonError {
  protected static override readonly kind = 'StateRejected'

  constructor(reason: string) {
    super(`The request state was rejected: ${reason}. Start the call again without it.`)
  }
}

/** A handler that took another way when it was replayed than it took before. */
export class ReplayMismatchError extends BeckonError {
  protected static override readonly kind = 'ReplayMismatch'

  constructor(what: string) {
    super(
      `${what}. A replay has to reach the same asks and steps: put what changes between runs (time, random values, I/O) ` +
        'into ctx.step, or give the ask a key.',
    )
  }
}

/** Someone who may not do this: not who the call is for, or nobody that the server knows. */
export class UnauthorizedError extends BeckonError {
  protected static override readonly kind = 'Unauthorized'
}
