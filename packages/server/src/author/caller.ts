import type { Session } from './session.js'

/** Who asks what there is: the same person, session and values that their calls have. */
export interface Caller {
  /** As the server's own authorization says. */
  readonly principal: string | undefined
  /** As `ctx.sessionId`; undefined for someone who is not known from one request to the next. */
  readonly sessionId: string | undefined
  readonly session: Session
}

/** Whether a caller is shown something. It may be called all the same, unless a middleware or the handler refuses. */
export type Listed = (caller: Caller) => boolean | Promise<boolean>
