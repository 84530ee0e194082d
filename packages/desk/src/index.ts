export {
  type Access,
  type AccessOptions,
  type AccessRequest,
  type AccessResponse,
  type Admitted,
  anyOf,
  type BearerAccessOptions,
  bearerAccess,
  type ClaimNames,
  type FindPerson,
  type Header,
  type JwtAccessOptions,
  jwtAccess,
  type LinkAccess,
  type LinkAccessOptions,
  linkAccess,
  type OidcAccessOptions,
  type OwnAddress,
  oidcAccess,
  type Random,
} from './access/index.js'
export type { AuditEntry, AuditEvent, AuditPage, AuditQuery, NumberedEntry } from './asks/audit.js'
export type { Visitor } from './asks/gate.js'
export type { HistoryLimits } from './asks/history.js'
export type { Audience, Person } from './asks/policy.js'
export type { AskRequest, ConfirmRequest, FormRequest, LiveRequest } from './asks/request.js'
export type { DeskSession } from './asks/session.js'
export type { AskOptions, AskOutcome, Turn } from './asks/turn.js'
export { createDesk, type Desk, type DeskOptions, type Listening } from './create-desk.js'
export type { ListenOptions } from './listen.js'
export type { Channels } from './state/channels.js'
export type { Trial, TryIt } from './try-it.js'
export {
  type VerifyOptions,
  verifyWebhook,
  type Webhook,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookMessage,
} from './webhooks/index.js'
