export type { Channels } from '@beckon/core/live'
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
export type { AuditPage, AuditQuery, AuditRecord } from './audit/audit.js'
export type { AuditEntry, AuditEvent, Shown, ShownText } from './audit/entry.js'
export type { AuditFault, AuditFaultKind, AuditReport, AuditVerifyOptions } from './audit/report.js'
export {
  createDesk,
  type Desk,
  type DeskLimits,
  type DeskOptions,
  type Listening,
  type SessionOptions,
} from './create-desk.js'
export type { DryRun, MatchedCall } from './dry-run/dry-run.js'
export type { ListenOptions } from './listen.js'
export type { Actor } from './model/events.js'
export type { Audience, SessionAudience } from './model/policy.js'
export type { Directory } from './people/directory.js'
export type { Person, Role, Viewer } from './policy/audience.js'
export type { Roles } from './policy/roles.js'
export type { KnownRule } from './rules/desk-rules.js'
export type { Condition, Rule, RuleMatch } from './rules/rule.js'
export type { HistoryLimits } from './sessions/keep-recent.js'
export type { NewRule, StandingRules } from './standing-rules.js'
export type { Trial, TryIt } from './try-it.js'
export type { DeskSession } from './turns/desk-session.js'
export type { AskRequest, ConfirmRequest, FormRequest, LiveRequest } from './turns/request.js'
export type { AskOptions, AskOutcome, Turn } from './turns/turn.js'
export {
  type VerifyOptions,
  verifyWebhook,
  type Webhook,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookMessage,
} from './webhooks/index.js'
