export type { AnswerOptions } from './answer-options.js'
export {
  type Answered,
  answerWith,
  type CallOptions,
  type ElicitationParams,
  type Subject,
  type Task,
} from './answer-with.js'
export type {
  AskingDesk,
  AskingSession,
  AskingTurn,
  AskTerms,
  DeskAudience,
  DeskOutcome,
  DeskRequest,
} from './desk/asking-desk.js'
