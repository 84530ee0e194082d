import type { InputRequest } from '../request.js'
import type { Conversation, ErrorInfo } from '../turn.js'

/** A chat of the later dialect. Its requests are parts of the active turn's response. */
export interface ChatState extends Conversation {
  resource: string
  title: string
  /** Bits of `SessionStatus`. */
  status: number
  /** ISO 8601. */
  modifiedAt: string
  /** Present while older turns are left to load. */
  turnsNextCursor?: string
  _meta?: Record<string, unknown>
}

/** Something in one of a session's chats that waits for someone. */
export type InputNeeded =
  | { kind: 'chatInput'; id: string; chat: string; request: InputRequest }
  | {
      kind: 'toolConfirmation' | 'toolAuthentication' | 'toolClientExecution'
      id: string
      chat: string
      [field: string]: unknown
    }

/** A chat as its session lists it. */
export interface ChatEntry {
  resource: string
  [field: string]: unknown
}

/** A session of the later dialect: its chats, and what they wait for. */
export interface SessionSummary {
  provider: string
  title: string
  /** Bits of `SessionStatus`. */
  status: number
  lifecycle: string
  /** Why it could not be made. */
  creationError?: ErrorInfo
  chats: ChatEntry[]
  /** Where input goes that is for the session as a whole. */
  defaultChat?: string
  activeClients: unknown[]
  /** Absent when nothing is waited for. */
  inputNeeded?: InputNeeded[]
  _meta?: Record<string, unknown>
}
