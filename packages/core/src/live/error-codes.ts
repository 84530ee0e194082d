/** The error codes of the live protocol, and those of JSON-RPC that it uses. */
export const liveErrorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  tooMany: -32000,
  sessionNotFound: -32001,
  sessionExists: -32003,
  turnInProgress: -32004,
  unsupportedVersion: -32005,
  signInRequired: -32007,
  notFound: -32008,
  denied: -32009,
  conflict: -32011,
} as const
