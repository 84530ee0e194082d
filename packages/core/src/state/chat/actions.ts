import type { RequestAction } from '../request.js'
import type { ToolCallAuthStep } from '../tool-call.js'
import type { ErrorInfo, ErrorPart, ResponseAction, Turn, TurnAction } from '../turn.js'
import type { ChatEntry, InputNeeded } from './state.js'

/** Everything that happens on a chat channel. */
export type ChatAction =
  | TurnAction<'chat'>
  | RequestAction<'chat'>
  | ResponseAction<'chat'>
  | ToolCallAuthStep
  /** From 0.9 on. */
  | { type: 'chat/error'; turnId: string; duration?: number; part: ErrorPart }
  | { type: 'chat/turnResume'; turnId: string }
  | { type: 'chat/turnsLoaded'; turns: Turn[]; turnsNextCursor?: string }
  | { type: 'chat/isReadChanged'; isRead: boolean }
  | { type: 'chat/isArchivedChanged'; isArchived: boolean }

/** Everything that happens on a session channel of the later dialect. */
export type SessionSummaryAction =
  | { type: 'session/inputNeededSet'; request: InputNeeded }
  | { type: 'session/inputNeededRemoved'; id: string }
  | { type: 'session/chatAdded'; summary: ChatEntry }
  | { type: 'session/chatRemoved'; chat: string }
  | { type: 'session/chatUpdated'; chat: string; changes: Record<string, unknown> }
  /** From 1.0 on. */
  | { type: 'session/chatsReordered'; chats: string[] }
  | { type: 'session/defaultChatChanged'; defaultChat?: string }
  | { type: 'session/ready' }
  | { type: 'session/creationFailed'; error: ErrorInfo }
  | { type: 'session/titleChanged'; title: string }
  | { type: 'session/isReadChanged'; isRead: boolean }
  | { type: 'session/isArchivedChanged'; isArchived: boolean }
