/** How much may be open at once, in numbers and in bytes of JSON. */
export interface AskLimits {
  /** In a session. */
  readonly maxOpenAsks: number
  /** Of a server in another process. */
  readonly maxOpenAsksOfServer: number
  /** On the desk. */
  readonly maxOpenAsksInAll: number
  /** Of one ask: words, arguments, form and audience. */
  readonly maxAskBytes: number
  /** Of all that are open in a session. */
  readonly maxSessionBytes: number
}

/** A desk in memory has what fits there. */
export function askLimits(
  given: { readonly [Limit in keyof AskLimits]?: number | undefined },
  isShared: boolean,
): AskLimits {
  return {
    maxOpenAsks: given.maxOpenAsks ?? 1_000,
    maxOpenAsksOfServer: given.maxOpenAsksOfServer ?? 10_000,
    maxOpenAsksInAll: given.maxOpenAsksInAll ?? (isShared ? Number.POSITIVE_INFINITY : 100_000),
    maxAskBytes: given.maxAskBytes ?? 256 * 1024,
    maxSessionBytes: given.maxSessionBytes ?? 4 * 1024 * 1024,
  }
}
