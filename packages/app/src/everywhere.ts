// What an application imports wherever it runs: `index.ts` adds what is Node's, `browser.ts` what is a page's.
export {
  AnswerInvalidError,
  AskExpiredError,
  BeckonError,
  CallCancelledError,
  type Clock,
  ElicitationNotAvailableError,
  type ErrorKind,
  InvalidFormError,
  SensitiveFieldError,
  UnauthorizedError,
} from '@beckon/core'
export type { Action, ActionBuilder, Annotations, AnnouncedAction, Definition } from './app/action.js'
export type {
  Agent,
  AgentCapabilities,
  Confirm,
  ConfirmOptions,
  ConfirmOutcome,
  Context,
  ElicitOptions,
  LogEntry,
  LogLevel,
  Progress,
  Sampled,
  SampleOptions,
} from './app/context.js'
export type { AppIdentity } from './app/identity.js'
export type { AppOptions } from './app/offer.js'
export type { AnnouncedResource, Resource, ResourceDefinition, Subscribe } from './app/resource.js'
export type { JsonSchema } from './app/schema.js'
export type { Connection, ConnectionStatus, ConnectOptions } from './dial/dial.js'
export { type CredentialStorage, memoryStorage, type TextStorage, textStorage } from './dial/storage.js'
export {
  ActionTimeoutError,
  ConnectionClosedError,
  ProtocolMismatchError,
  SamplingDepthError,
  SamplingNotAvailableError,
} from './errors.js'
export type { Credentials } from './session/session.js'
export { systemClock } from './system-clock.js'
