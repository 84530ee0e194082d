import type { OpenAsk } from '../../call/ask.js'
import type { Entry, Reply, StepEntry } from '../../call/journal.js'
import type { Peer, Target } from '../../call/wire.js'
import type { JsonValue } from '../../store/index.js'
import type { TraceContext } from '../../telemetry/telemetry.js'

/** What a call was for, as much as another process needs to run it. */
export interface About {
  readonly wire: 'tasks' | 'desk'
  readonly call: string
  readonly target: Target
  /** As the client sent them. */
  readonly params: Readonly<Record<string, unknown>>
  readonly principal: string | null
  readonly sessionId: string | null
  readonly peer: Peer
  /** The trace of the request that began it. */
  readonly trace?: TraceContext
  /** The name of the server; absent where it was written before there was one in it. */
  readonly server?: string
  /** Of the server. */
  readonly version: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** Who runs the handler: one run, of one process. */
export interface Owner {
  readonly node: string
  readonly run: string
}

/** What a request is answered with: a result, or a JSON-RPC error. */
export type Encoded = { result: Record<string, unknown> } | { error: { code: number; message: string; data?: unknown } }

/** One line of the log of a call that goes on by itself. The first is `begun`; nothing counts after an end. */
export type Line = { readonly at: number } & (
  | { readonly kind: 'begun'; readonly about: About; readonly entries: readonly Entry[]; readonly owner: Owner }
  | { readonly kind: 'taken'; readonly owner: Owner }
  | { readonly kind: 'asked'; readonly ask: OpenAsk }
  | { readonly kind: 'answered'; readonly id: string; readonly reply: Reply }
  /** An ask that nobody could put: it is open no more, and its handler was told. */
  | { readonly kind: 'dropped'; readonly id: string }
  | { readonly kind: 'step'; readonly entry: StepEntry }
  /** Where a person can answer. */
  | { readonly kind: 'placed'; readonly link: string }
  | { readonly kind: 'ended'; readonly end: Encoded }
  | { readonly kind: 'cancelled' }
  /** Someone has the result: the log may go soon. */
  | { readonly kind: 'delivered' }
)

/** Lines are JSON by what they hold; the compiler cannot see that of open records. */
export function encodeLine(line: Line): JsonValue {
  return line as unknown as JsonValue
}

export function decodeLine(value: JsonValue): Line {
  return value as unknown as Line
}
