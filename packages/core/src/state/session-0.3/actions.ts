import type { RequestAction } from '../request.js'
import type { ErrorInfo, ResponseAction, TurnAction } from '../turn.js'

/** Everything that happens on a session channel of dialect 0.3. */
export type SessionAction =
  | TurnAction<'session'>
  | RequestAction<'session'>
  | ResponseAction<'session'>
  | { type: 'session/ready' }
  | { type: 'session/creationFailed'; error: ErrorInfo }
  | { type: 'session/titleChanged'; title: string }
  | { type: 'session/isReadChanged'; isRead: boolean }
  | { type: 'session/isArchivedChanged'; isArchived: boolean }
