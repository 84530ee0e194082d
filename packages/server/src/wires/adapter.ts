// For those who write a desk, or reach one elsewhere: what a server opens its asks on.
export type {
  AskDesk,
  AskPolicy,
  AskSubject,
  DeskAudience,
  DeskOutcome,
  DeskRequest,
  OpenedAsk,
} from './desk.js'
export { type RemoteDeskOptions, remoteDeskFrom } from './remote-desk/remote-desk.js'
