import type { InputRequest } from '@beckon/core/chat'
import type { Policy } from '../../asks/policy.js'

/** What is known of an ask, open or not, while its session is there, and for a while after. */
export interface KnownAsk {
  readonly id: string
  readonly session: string
  readonly server: string
  /** As it was put; its drafts are in the state. */
  readonly request: InputRequest
  readonly policy: Policy
  /** Milliseconds. */
  readonly askedAt: number
  /** The number of the line that ended it; 0 when that was before this process began. Absent while it is open. */
  readonly endedSeq?: number
}
