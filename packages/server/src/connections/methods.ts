import type { Incoming } from '../call/incoming.js'
import type { Link } from '../protocol/link.js'
import type { RequestId } from '../protocol/messages.js'
import type { ServerInfo } from '../protocol/rev2026/complete-result.js'

/** A request for any method, with everything that the revision says of its client. */
export interface MethodRequest extends Omit<Incoming, 'method'> {
  readonly id: RequestId
  readonly method: string
}

type Result = Record<string, unknown>

/** Answers a request; throws `{ code, message, data? }` for a JSON-RPC error. */
export type Method = (request: MethodRequest) => Promise<Result> | Result

/** What a server answers on a connection, by method. */
export type Methods = ReadonlyMap<string, Method>

/** What a server tells each client of itself. */
export interface Introduction {
  readonly info: ServerInfo
  readonly capabilities: Record<string, unknown>
  readonly instructions?: string | undefined
}

/** What is behind a connection. */
export interface ConnectionOptions extends Introduction {
  readonly link: Link
  readonly methods: Methods
  /** Told about what no client can be told about. */
  readonly onError?: ((error: unknown) => void) | undefined
}
