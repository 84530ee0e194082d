/** How much may be open at once, in numbers and in bytes of JSON. */
export interface AskLimits {
  /** In a session. */
  readonly maxOpenAsks: number
  /** Of one ask: words, arguments, form and audience. */
  readonly maxAskBytes: number
  /** Of all that are open in a session. */
  readonly maxSessionBytes: number
}
