import type { SessionEvent } from './events.js'
import type { Session } from './session.js'

/** An event, with the session before and after it. */
export interface Happened {
  readonly id: string
  readonly event: SessionEvent
  readonly before: Session | undefined
  readonly after: Session | undefined
}
