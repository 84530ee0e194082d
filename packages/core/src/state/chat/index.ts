export type { InputRequest, RequestAction } from '../request.js'
export { SessionStatus } from '../status.js'
export type {
  Text,
  ToolCall,
  ToolCallAuthStep,
  ToolCallStart,
  ToolCallStatus,
  ToolCallStep,
  ToolCallStepBase,
} from '../tool-call.js'
export type {
  ActiveTurn,
  Conversation,
  ErrorInfo,
  ErrorPart,
  InputRequestPart,
  Message,
  PendingMessage,
  ResponseAction,
  ResponsePart,
  Turn,
  TurnAction,
} from '../turn.js'
export type { ChatAction, SessionSummaryAction } from './actions.js'
export { checkAction } from './check-action.js'
export { reduceChat } from './reduce.js'
export { reduceSessionSummary } from './reduce-session-summary.js'
export type { ChatEntry, ChatState, InputNeeded, SessionSummary } from './state.js'
