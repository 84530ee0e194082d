// What differs from one revision of the protocol to the next, behind one contract. Nothing else asks which revision it is.
import type { Revision } from '@beckon/core'
import type { Ask } from '../call/ask.js'
import type { ClientCapabilities } from '../call/incoming.js'
import type { Reply } from '../call/journal.js'
import { rev20250618, rev20251125 } from './rev2025/rev2025.js'
import { rev20260728 } from './rev2026/rev2026.js'

/** A request to the client: pushed on 2025, in `inputRequests` on 2026-07-28. */
export interface InputRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  params?: Record<string, unknown>
}

/** How a revision writes asks and reads what comes back. */
export interface RevisionCodec {
  /** The request that opens an ask, for a client that can do this. */
  writeAsk(ask: Ask, capabilities: ClientCapabilities): InputRequest
  /** A reply to what was written, as one to the ask itself. */
  raiseReply(reply: Reply, ask: Ask): Reply
  /** Whether a client takes requests from the server. */
  readonly takesRequests: boolean
  /** Whether an error names the capability that a client lacks: -32021. */
  readonly namesMissingCapabilities: boolean
  /** Whether a call may end with the pages to open first, -32042, and the client be told when they are done. */
  readonly hasUrlErrors: boolean
}

const codecs: Readonly<Record<Revision, RevisionCodec>> = {
  '2025-06-18': rev20250618,
  '2025-11-25': rev20251125,
  '2026-07-28': rev20260728,
}

export function codecOf(revision: Revision): RevisionCodec {
  return codecs[revision]
}
