export type { AnsweredBy, NoAnswer } from '@beckon/core'
export {
  AnswerInvalidError,
  AskExpiredError,
  BeckonError,
  CallCancelledError,
  ElicitationNotAvailableError,
  InvalidFormError,
  ReplayMismatchError,
  SensitiveFieldError,
  StateRejectedError,
  UnauthorizedError,
} from '@beckon/core'
export { type AskingHandler, type AskingResult, type AskingReturn, asks } from './asks/asks.js'
export { completeElicitation } from './asks/complete-elicitation.js'
export type { AsksOptions } from './asks/options.js'
export type { SdkServer } from './asks/peer-of.js'
export type { AuthOptions, IntrospectionOptions } from './auth/options.js'
export type { VerifiedToken } from './auth/verified-token.js'
export type { Caller, Listed } from './author/caller.js'
export {
  type Choice,
  type ChoiceSchema,
  type ChoiceSource,
  type ChoicesOptions,
  choices,
} from './author/choice-schema.js'
export type {
  Confirm,
  ConfirmOptions,
  ConfirmOutcome,
  Context,
  Elicit,
  ElicitInputParams,
  ElicitInputResult,
  ElicitOptions,
  Fallback,
  FormOptions,
  FormOutcome,
  NoVars,
  Step,
  Subject,
  UrlOptions,
  UrlOutcome,
} from './author/context.js'
export type { Identify } from './author/identify.js'
export type { Middleware, MiddlewareFunction, Next, VarsOf } from './author/middleware.js'
export { type ContentBlock, ToolResult } from './author/results.js'
export type { Session, Values } from './author/session.js'
export { type NodeListener, toNode } from './http/node.js'
export type { Brand } from './pages/index.js'
export { knownClients } from './person/known-clients.js'
export type { PersonRule } from './person/rule.js'
export type { Quirk } from './protocol/capabilities.js'
export { RequestError } from './protocol/request-error.js'
export { type Clock, systemClock } from './runtime/clock.js'
export type { BeckonServer, ServerOptions } from './server/beckon-server.js'
export { createServer } from './server/create-server.js'
export { defineTool, type ToolDefinition } from './server/define-tool.js'
export type {
  ArgumentsOf,
  PromptArgument,
  PromptArguments,
  PromptConfig,
  PromptHandler,
  PromptReturn,
  ResourceConfig,
  ResourceHandler,
  ResourceReturn,
  ToolAnnotations,
  ToolConfig,
  ToolHandler,
  ToolReturn,
} from './server/definitions.js'
export type { InputOf, OutputOf, ToolSchema } from './server/schemas.js'
export type { SignIn } from './sign-in/sign-in.js'
export { memoryStore } from './store/memory-store.js'
export type { AskDesk } from './wires/desk.js'
