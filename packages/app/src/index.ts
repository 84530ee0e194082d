import type { ActionBuilder } from './app/action.js'
import { type AppOptions, Offer } from './app/offer.js'
import type { Resource } from './app/resource.js'
import { type Connection, type ConnectOptions, dial } from './dial/dial.js'
import { openNodeSocket } from './dial/node-socket.js'
import { memoryStorage } from './dial/storage.js'
import { type Listening, type ListenOptions, listen } from './host/listen.js'

export {
  AnswerInvalidError,
  AskExpiredError,
  BeckonError,
  CallCancelledError,
  type Clock,
  ElicitationNotAvailableError,
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
  AppError,
  type AppErrorKind,
  ConnectionClosedError,
  ProtocolMismatchError,
  SamplingDepthError,
  SamplingNotAvailableError,
} from './errors/index.js'
export type { Address } from './host/endpoint.js'
export type { Listening, ListenOptions } from './host/listen.js'
export type { Credentials } from './session/session.js'
export { systemClock } from './system-clock.js'

/** An application. */
export interface App {
  /** Starts an action; `handler` offers it. */
  action(name: string): ActionBuilder
  /** Starts a resource; `read` offers it. */
  resource(name: string): Resource
  /** Listens for a gateway of this machine, which finds it by its manifest. Not in a page. */
  listen(options?: ListenOptions): Promise<Listening>
  /** Connects to a gateway, and stays connected over restarts. */
  connect(url: string | URL, options?: ConnectOptions): Promise<Connection>
}

/**
 * An application whose actions agents can call.
 *
 * @example
 * const shop = app({ id: 'shop', name: 'The shop' })
 * shop.action('checkStock').handler(async (_input, ctx) => { ... })
 * await shop.listen()
 */
export function app(options: AppOptions): App {
  const offer = new Offer(options)
  return {
    action: name => offer.draftAction(name),
    resource: name => offer.draftResource(name),
    listen: given => listen(offer, given),
    connect: (url, given = {}) =>
      dial(offer, { openSocket: openNodeSocket, storage: memoryStorage(), ...given, url: String(url) }),
  }
}
