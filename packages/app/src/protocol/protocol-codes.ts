/** The error codes that the protocol adds to those of JSON-RPC, where no error class of ours stands for them. */
export const protocolCodes = {
  cancelled: -32001,
  timeout: -32002,
  notFound: -32003,
  inputInvalid: -32004,
  handler: -32005,
  samplingDepth: -32008,
  unauthorized: -32009,
  resumeFailed: -32011,
} as const
