import type { Response } from '../ask/outcome.js'
import type { InputRequest } from './request.js'
import type { ToolCall, ToolCallStart, ToolCallStep } from './tool-call.js'

/** What began a turn. */
export interface Message {
  text: string
  origin?: { kind: string }
  _meta?: Record<string, unknown>
}

/** A message that waits for its turn. */
export interface PendingMessage {
  id: string
  message: Message
}

/** Why a turn failed. */
export interface ErrorInfo {
  errorType: string
  message: string
  stack?: string
}

/** A request in the response of a later-dialect turn. Open until it has a `response`. */
export interface InputRequestPart {
  kind: 'inputRequest'
  request: InputRequest
  response?: Response
}

/** Why a turn failed, as the last part of its response: from 0.9 on. */
export interface ErrorPart {
  kind: 'error'
  error: ErrorInfo
  /** Whether the turn can be taken up again. */
  resumable?: boolean
}

/** One piece of a response, in the order it came. Parts of other kinds are kept as they are. */
export type ResponsePart =
  | { kind: 'markdown' | 'reasoning'; id: string; content: string }
  | { kind: 'toolCall'; toolCall: ToolCall }
  | InputRequestPart
  | ErrorPart
  | { kind: 'contentRef' | 'systemNotification'; [field: string]: unknown }

/** The turn that is going on. */
export interface ActiveTurn {
  id: string
  startedAt?: string
  message: Message
  responseParts: ResponsePart[]
  usage?: unknown
}

/** A turn that ended. */
export interface Turn extends ActiveTurn {
  duration?: number
  state: 'complete' | 'cancelled' | 'error'
  /** Before 0.9; later it is the last part of the response. */
  error?: ErrorInfo
}

/** The turns of a session or chat. */
export interface Conversation {
  turns: Turn[]
  activeTurn?: ActiveTurn
  steeringMessage?: PendingMessage
  queuedMessages?: PendingMessage[]
}

/** What begins and ends turns. `startedAt` and `duration` exist in the later dialect only. */
export type TurnAction<Channel extends string> =
  | {
      type: `${Channel}/turnStarted`
      turnId: string
      message: Message
      startedAt?: string
      queuedMessageId?: string
    }
  | { type: `${Channel}/turnComplete` | `${Channel}/turnCancelled`; turnId: string; duration?: number }
  | { type: `${Channel}/error`; turnId: string; duration?: number; error: ErrorInfo }
  | { type: `${Channel}/truncated`; turnId?: string }

/** What adds to the response of the active turn. */
export type ResponseAction<Channel extends string> =
  | { type: `${Channel}/delta` | `${Channel}/reasoning`; turnId: string; partId: string; content: string }
  | { type: `${Channel}/responsePart`; turnId: string; part: ResponsePart }
  | { type: `${Channel}/usage`; turnId: string; usage: unknown }
  | ToolCallStart<Channel>
  | ToolCallStep<Channel>
