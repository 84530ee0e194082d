export type { AnswerOptions } from './answer-options.js'
export {
  type Answered,
  answerWith,
  type CallOptions,
  type ElicitationParams,
  type Subject,
  type Task,
} from './answer-with.js'
export type { AskTerms } from './connection-asks.js'
