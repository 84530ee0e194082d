// Branded, as the errors of `@beckon/core` are: `instanceof` holds between two copies of this package.

const brand = Symbol.for('beckon.app.error')

const numbers = {
  ProtocolMismatch: -32000,
  ActionTimeout: -32002,
  SamplingNotAvailable: -32006,
  SamplingDepth: -32008,
  ConnectionClosed: -32010,
} as const

/** The string that tells the errors of this package apart. */
export type AppErrorCode = keyof typeof numbers

/** The errors that only an app meets; those of asks are the ones of `@beckon/core`. */
export abstract class AppError extends Error {
  /** Says which error this is; stable across versions. */
  readonly code: AppErrorCode
  /** The JSON-RPC number of this error. */
  readonly number: number

  protected static readonly code: AppErrorCode

  constructor(message: string) {
    super(message)
    const { code } = new.target
    this.name = `${code}Error`
    this.code = code
    this.number = numbers[code]
    Object.defineProperty(this, brand, { value: code })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== AppError && !Object.hasOwn(this, 'code'))
      return Function.prototype[Symbol.hasInstance].call(this, value)
    if (typeof value !== 'object' || value === null || !(brand in value)) return false
    return this === AppError || value[brand] === this.code
  }
}
