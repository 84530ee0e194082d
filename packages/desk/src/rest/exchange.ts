import type { Viewer } from '../policy/audience.js'

/** A request as plain data: who sent it is known, and its body is parsed and within bounds. */
export interface RestRequest {
  readonly method: string
  /** As it was sent, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** The JSON of the body; undefined without one. */
  readonly body?: unknown
  readonly bodyBytes?: number
  /** Where an event stream was cut. */
  readonly lastEventId?: string | undefined
  /** A header's value, by its name in lower case. */
  header(name: string): string | undefined
}

/** An answer that is complete. */
export interface RestReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An answer that goes on. The sender reads no faster than the client does, and calls `return` when it is gone. */
interface RestStream {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly stream: AsyncIterable<string>
}

export type RestResponse = RestReply | RestStream

/** The caller, and when the proof of it ends, in milliseconds. */
export interface RestViewer extends Viewer {
  readonly expiresAt?: number
}

/** A JSON answer. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): RestReply {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body),
  }
}
