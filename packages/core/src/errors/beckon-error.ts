// Two copies of this package in one program are common (a hoisted one and a nested one), and plain classes would make
// `instanceof` false between them. Each error carries its code under a registered symbol, so any copy knows any other's.

const brand = Symbol.for('beckon.error')

const numbers = {
  InvalidForm: -32602,
  SensitiveField: -32602,
  ElicitationNotAvailable: -32007,
  AnswerInvalid: -32005,
  AskExpired: -32002,
  CallCancelled: -32001,
  StateRejected: -32602,
  ReplayMismatch: -32603,
  Unauthorized: -32009,
  StoreUnavailable: -32603,
} as const

/** The string that tells Beckon's errors apart. */
export type ErrorCode = keyof typeof numbers

/** The family of errors that Beckon throws. `instanceof` holds across copies of the package. */
export abstract class BeckonError extends Error {
  /** Says which error this is; stable across versions. */
  readonly code: ErrorCode
  /** The JSON-RPC number of this error. */
  readonly number: number

  /** The code that a class stands for; a class without one of its own is told apart as usual. */
  protected static readonly code: ErrorCode

  constructor(message: string) {
    super(message)
    const { code } = new.target
    this.name = `${code}Error`
    this.code = code
    this.number = numbers[code]
    Object.defineProperty(this, brand, { value: code })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== BeckonError && !Object.hasOwn(this, 'code'))
      return Function.prototype[Symbol.hasInstance].call(this, value)
    if (typeof value !== 'object' || value === null || !(brand in value)) return false
    return this === BeckonError || value[brand] === this.code
  }
}
