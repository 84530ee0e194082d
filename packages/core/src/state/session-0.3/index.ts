export type { InputRequest, RequestAction } from '../request.js'
export { SessionStatus } from '../status.js'
export type { Text, ToolCall, ToolCallStart, ToolCallStatus, ToolCallStep, ToolCallStepBase } from '../tool-call.js'
export type {
  ActiveTurn,
  Conversation,
  ErrorInfo,
  InputRequestPart,
  Message,
  PendingMessage,
  ResponseAction,
  ResponsePart,
  Turn,
  TurnAction,
} from '../turn.js'
export type { SessionAction } from './actions.js'
export { checkAction } from './check-action.js'
export { reduceSession } from './reduce.js'
export type { SessionState, SessionSummary } from './state.js'
