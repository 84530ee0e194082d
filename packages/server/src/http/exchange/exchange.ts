/** Names and values, one after the other. */
export type HeaderList = readonly string[]

/** A request's body: its text, or its value where a framework has parsed it already. */
export type Body =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'broken' }

/**
 * The response to a request: either `reply`, or `open`, any number of `write`, and `end`. After a client went away, and after
 * the response ended, all of them do nothing.
 */
export interface HttpResponse {
  /** The whole response. */
  reply(status: number, headers: HeaderList, body: string): void
  /** Begins an event stream. */
  open(headers: HeaderList): void
  write(text: string): void
  end(text?: string): void
  /** How much was written and not taken yet, as far as that can be seen: bytes, or as good as. */
  readonly backlog: number
  /** Calls the listener each time that all that was written is taken, and when the connection is closed. */
  onTaken(listener: () => void): void
  /** Cuts the connection off, with whatever was written and not taken yet. */
  destroy(): void
  /** Calls the listener when the client goes away before the response ended; at once when it has. */
  onGone(listener: () => void): void
}

/**
 * One HTTP request and its response. What serves MCP is written on this, once, and runs on `node:http` as well as on
 * anything that has `Request` and `Response`.
 */
export interface Exchange extends HttpResponse {
  readonly method: string
  /** The path, without the query. */
  readonly path: string
  /** A header by its lower-case name; one that came more than once is joined with commas. */
  header(name: string): string | undefined
  /** Whether a program on this machine sent it, as far as that can be seen; where it cannot, false. */
  readonly isLocal: boolean
  /** The address that it came from; undefined where that cannot be seen. */
  readonly address: string | undefined
  /** As a web request: without a body, unless one is given. */
  request(body?: string | ReadableStream<Uint8Array>): Request
  /** The body as it comes; undefined where somebody has read it already. */
  stream(): ReadableStream<Uint8Array> | undefined
  /** Reads the body. Never holds more than `maxBytes` of it. */
  receive(maxBytes: number, received: (body: Body) => void): void
  /** Whether nothing is sent any more: all of it was, or the client went away. */
  readonly isOver: boolean
  /** Sends a web response as this one, in place of any other. */
  forward(response: Response): Promise<void>
}

/** What a web request with a body is made of. */
export function withBody(init: RequestInit, body: string | ReadableStream<Uint8Array>): RequestInit {
  // A request whose body is a stream is sent before it is answered, which has to be said and is in no type yet.
  return typeof body === 'string' ? { ...init, body } : ({ ...init, body, duplex: 'half' } as RequestInit)
}
