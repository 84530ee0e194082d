// Branded, as the errors of `@beckon/core` are: `instanceof` holds between two copies of this package.

const brand = Symbol.for('beckon.app.error')

const codes = {
  ProtocolMismatch: -32000,
  ActionTimeout: -32002,
  SamplingNotAvailable: -32006,
  SamplingDepth: -32008,
  ConnectionClosed: -32010,
} as const

/** The word that tells the errors of this package apart. */
export type AppErrorKind = keyof typeof codes

/** The errors that only an app meets; those of asks are the ones of `@beckon/core`. */
export abstract class AppError extends Error {
  /** The JSON-RPC number of this error. Several kinds may share one. */
  readonly code: number
  /** Says which error this is; stable across versions. */
  readonly kind: AppErrorKind

  protected static readonly kind: AppErrorKind

  constructor(message: string) {
    super(message)
    const { kind } = new.target
    this.name = `${kind}Error`
    this.code = codes[kind]
    this.kind = kind
    Object.defineProperty(this, brand, { value: kind })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== AppError && !Object.hasOwn(this, 'kind'))
      return Function.prototype[Symbol.hasInstance].call(this, value)
    if (typeof value !== 'object' || value === null || !(brand in value)) return false
    return this === AppError || value[brand] === this.kind
  }
}
