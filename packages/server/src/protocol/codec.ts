// What differs from one revision of the protocol to the next, behind one contract. Nothing else asks which revision it is.
import type { Revision } from '@beckon/core'
import type { Ask } from '../call/ask.js'
import type { ClientCapabilities, Incoming, LogLevel } from '../call/incoming.js'
import type { Reply } from '../call/journal.js'
import { rev20250618, rev20251125 } from './rev2025/rev2025.js'
import type { ServerInfo } from './rev2026/complete-result.js'
import { rev20260728 } from './rev2026/rev2026.js'

/** A request to the client: pushed on 2025, in `inputRequests` on 2026-07-28. */
export interface InputRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  params?: Record<string, unknown>
}

/** Who sent a request, and what they want to hear. */
export interface RequestPeer extends Pick<Incoming, 'revision' | 'capabilities' | 'client'> {
  /** From which level on log messages are sent; `all` where a client with a session has not said so, undefined for none. */
  readonly logLevel: LogLevel | 'all' | undefined
}

type Result = Record<string, unknown>

/** What holds on a whole connection, before anything is negotiated on it. */
export interface ConnectionCodec {
  /** The latest that is spoken on it. */
  readonly revision: Revision
  /** Whether a client introduces itself once, and its session is known from then on. Else every request says it all by itself. */
  readonly hasSessions: boolean
  /** Whether a client takes requests from the server. */
  readonly takesRequests: boolean
  /** Whether a client takes notifications that belong to no request of its own. Else it listens for them with one. */
  readonly takesNotifications: boolean
  /** The methods of other revisions that it does not have. */
  readonly lacks: ReadonlySet<string>
  /** The code for a resource that is not there. */
  readonly resourceNotFound: number
  /** Who sent a request with these parameters, on a connection whose client introduced itself so. Throws what it is refused with. */
  peerOf(params: unknown, introduced: RequestPeer): RequestPeer
  /** A result with what the revision wants on every one. */
  complete(result: Result, method: string, info: ServerInfo): Result
}

/** How a revision writes asks and reads what comes back. */
export interface RevisionCodec extends ConnectionCodec {
  /** The request that opens an ask, for a client that can do this. */
  writeAsk(ask: Ask, capabilities: ClientCapabilities): InputRequest
  /** A reply to what was written, as one to the ask itself. */
  raiseReply(reply: Reply, ask: Ask): Reply
  /** Whether `http/lean` answers its regular requests. */
  readonly isLean: boolean
  /** Whether a handler's error may leave with this number: not with one that another revision has, or that is the protocol's alone. */
  hasError(code: number): boolean
  /** Whether a call may end with the pages to open first, -32042, and the client be told when they are done. */
  readonly hasUrlErrors: boolean
}

const codecs: Readonly<Record<Revision, RevisionCodec>> = {
  '2025-06-18': rev20250618,
  '2025-11-25': rev20251125,
  '2026-07-28': rev20260728,
}

/** The latest first: on the lean path every request is compared with it. */
const latestFirst: readonly RevisionCodec[] = Object.values(codecs).reverse()

export function codecOf(revision: Revision): RevisionCodec {
  return codecs[revision]
}

/** The codec of the version that a request names; undefined where there is none of its own. */
export function codecNamed(version: string | undefined): RevisionCodec | undefined {
  for (const codec of latestFirst) if (codec.revision === version) return codec
  return undefined
}
