import type { InputRequest } from '../request.js'
import type { Conversation, ErrorInfo } from '../turn.js'

/** A session as lists show it. */
export interface SessionSummary {
  resource: string
  provider: string
  title: string
  /** Bits of `SessionStatus`. */
  status: number
  /** Milliseconds. */
  createdAt: number
  /** Milliseconds. */
  modifiedAt: number
}

/** A session of dialect 0.3: its turns and its open requests. */
export interface SessionState extends Conversation {
  summary: SessionSummary
  lifecycle: string
  /** Why it could not be made. */
  creationError?: ErrorInfo
  /** Open requests in the order they were put; absent when there are none. */
  inputRequests?: InputRequest[]
  _meta?: Record<string, unknown>
}
