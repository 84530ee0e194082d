import type { Response } from '@beckon/core'
import type { InputRequest } from '@beckon/core/chat'
import type { Policy } from '../../asks/policy.js'
import { expiredReason } from '../../asks/turn.js'
import type { KnownAsk } from './known-ask.js'

type AskEvent = 'asked' | 'drafted' | 'answered' | 'withdrawn' | 'expired'

/** Something that happened to one ask. */
export interface Happening {
  readonly event: AskEvent
  /** The number of its line. */
  readonly seq: number
  /** Milliseconds. */
  readonly at: number
  readonly session: string
  /** The ask's id. */
  readonly ask: string
  /** Absent for an ask whose session is long gone: nobody can say any more whom it was for. */
  readonly known?: KnownAsk
  /** Absent for what the desk did itself. */
  readonly by?: string
  readonly question?: string
  /** What became of the question's answer. */
  readonly state?: 'draft' | 'submitted' | 'skipped' | 'cleared'
  readonly ended?: Ended
  /** As it was put. */
  readonly request?: InputRequest
  /** What held for it when this happened. Absent where it is not known. */
  readonly policy?: Policy
  /** Whom it was for until now, when others are asked instead. */
  readonly before?: Policy
}

/** How an ask ended; never with what. */
export interface Ended {
  readonly event: 'answered' | 'withdrawn' | 'expired'
  readonly response?: Response
  readonly by?: string
  /** Why it was declined. */
  readonly reason?: string
}

/** An ending in the words of events: only a person answers. */
export function endedOf(ending?: { response: Response; by?: string; reason?: string }): Ended {
  if (ending?.by === undefined) return { event: ending?.reason === expiredReason ? 'expired' : 'withdrawn' }
  const { response, by, reason } = ending
  return { event: 'answered', response, by, ...(reason !== undefined && { reason }) }
}
