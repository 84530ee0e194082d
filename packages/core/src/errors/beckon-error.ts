// Two copies of this package in one program are common (a hoisted and a nested one), and a plain class would make
// `instanceof` false between them. The brand is a registered symbol that names the error, so any copy knows any other's.

const brand = Symbol.for('beckon.error')

/** The string codes of Beckon's errors, each with the JSON-RPC number it has where there is one. */
export const errorNumbers = {
  InvalidForm: -32602,
  SensitiveField: -32602,
  ElicitationNotAvailable: -32007,
  AnswerInvalid: -32005,
  AskExpired: -32002,
  CallCancelled: -32001,
  StateRejected: -32602,
  ReplayMismatch: -32603,
  Unauthorized: -32009,
} as const

/** The string that tells Beckon's errors apart. */
export type ErrorCode = keyof typeof errorNumbers
