// For those who write a desk, or reach one elsewhere: what a server opens its asks on.
export type { AskPolicy, DeskAudience, DeskPolicy } from '../call/ask-policy.js'
export { messageWith, readMessage } from '../crypto/bound-message.js'
export { reportOf } from './call-report.js'
export type {
  AskDesk,
  AskSubject,
  CallReport,
  DeskOutcome,
  DeskRequest,
  DeskWidget,
  FindOptions,
  OpenedAsk,
} from './desk.js'
export { type RemoteDeskOptions, remoteDeskFrom } from './remote-desk/remote-desk.js'
