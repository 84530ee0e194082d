/** The error codes that the application protocol adds to those of JSON-RPC. */
export const protocolCodes = {
  protocolMismatch: -32000,
  cancelled: -32001,
  timeout: -32002,
  inputInvalid: -32004,
  samplingNotAvailable: -32006,
  samplingDepth: -32008,
  unauthorized: -32009,
  resumeFailed: -32011,
} as const
