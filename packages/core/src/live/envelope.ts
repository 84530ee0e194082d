import type { AsksAction } from '../state/asks/actions.js'
import type { AsksState } from '../state/asks/state.js'
import type { ChatAction, SessionSummaryAction } from '../state/chat/actions.js'
import type { ChatState, SessionSummary } from '../state/chat/state.js'
import type { SessionAction } from '../state/session-0.3/actions.js'
import type { SessionState } from '../state/session-0.3/state.js'

/** Which client did something, and its own number for it. */
export interface Origin {
  readonly clientId: string
  readonly clientSeq: number
}

/** What a desk tells on its channels, in either dialect. */
export type LiveAction = AsksAction | SessionAction | ChatAction | SessionSummaryAction

/** An action on its way to a client. One that was refused goes to its sender alone, as it came. */
export interface Envelope<A = LiveAction> {
  readonly channel: string
  readonly action: A
  readonly serverSeq: number
  /** Absent for what the desk did itself. */
  readonly origin?: Origin
  /** Present when the action was refused: why, as a sentence in the client's language. */
  readonly rejectionReason?: string
  /** Ours: the same for a program, and for good. One that a client does not know has the sentence beside it. */
  readonly rejectionCode?: string
  /** Ours: what a sentence about the code is made of. */
  readonly rejectionParams?: Readonly<Record<string, unknown>>
}

/** The list of sessions itself is requested; its channel tells of changes. */
export interface RootState {
  readonly agents: readonly unknown[]
}

export type ChannelState = RootState | AsksState | SessionState | ChatState | SessionSummary

/** The state of a channel as of a number. */
export interface Snapshot<S = ChannelState> {
  readonly resource: string
  readonly state: S
  readonly fromSeq: number
}
