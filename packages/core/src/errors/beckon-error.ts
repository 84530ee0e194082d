// Two copies of this package in one program are common (a hoisted one and a nested one), and plain classes would make
// `instanceof` false between them. Each error carries its kind under a registered symbol, so any copy knows any other's.

const brand = Symbol.for('beckon.error')

// By kind, for every package: the classes are where they are thrown.
const codes = {
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
  ProtocolMismatch: -32000,
  ActionTimeout: -32002,
  SamplingNotAvailable: -32006,
  SamplingDepth: -32008,
  ConnectionClosed: -32010,
} as const

/** The word that tells Beckon's errors apart. */
export type ErrorKind = keyof typeof codes

/** The family of errors that Beckon throws. `instanceof` holds across copies of the package. */
export abstract class BeckonError extends Error {
  /** The JSON-RPC number of this error. Several kinds may share one. */
  readonly code: number
  /** Says which error this is; stable across versions. */
  readonly kind: ErrorKind

  /** The kind that a class stands for; a class without one of its own is told apart as usual. */
  protected static readonly kind: ErrorKind

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    const { kind } = new.target
    this.name = `${kind}Error`
    this.code = codes[kind]
    this.kind = kind
    Object.defineProperty(this, brand, { value: kind })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== BeckonError && !Object.hasOwn(this, 'kind'))
      return Function.prototype[Symbol.hasInstance].call(this, value)
    if (typeof value !== 'object' || value === null || !(brand in value)) return false
    return this === BeckonError || value[brand] === this.kind
  }
}
