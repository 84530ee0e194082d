import type { Response } from '../../ask/outcome.js'
import type { InputRequest } from '../request.js'
import type { Turn } from '../turn.js'

/** How an ask ended. Without a response its turn ended first, and without a person or a rule the desk ended it. */
export interface AskEnding {
  response?: Response
  /** The principal who ended it. */
  by?: string
  /** The rule that ended it: one for the whole desk, or that of the principal by whom it is. */
  rule?: string
  /** Milliseconds. */
  at: number
  /** Why a person declined, in their words; `expired` when time ended it. */
  reason?: string
}

/** Whom an ask is for. */
export interface AskAudience {
  principals?: readonly string[]
  groups?: readonly string[]
  /** Those of the principals who stand in for someone, and for whom. */
  standIns?: Readonly<Record<string, string>>
}

/** Who has accepted an ask that takes several, or that takes others than who asked for it. */
export interface AskApproval {
  /** How many have to. */
  of: number
  by: readonly string[]
  /** Who could, and has not, as far as the desk knows by name; so many of them. Empty once it has ended. */
  missing: readonly string[]
  /** Groups whose members the desk cannot name. */
  groups?: readonly string[]
  /** Who called, where they are asked with others: they do not count. Absent once it has ended. */
  requester?: string
}

/** What someone wrote about an ask. */
export interface AskComment {
  by: string
  /** Milliseconds. */
  at: number
  text: string
}

/** How the call ended that an ask is of, as its server says. */
export interface AskReport {
  status: 'done' | 'failed'
  /** The beginning of the result, or why it failed. */
  text?: string
  /** Milliseconds. */
  at: number
}

/** An ask as everyone who may answer it sees it, and where to answer it. */
export interface AskEntry {
  session: string
  /** Who asks. */
  server: string
  title: string
  /** With its drafts; once it ended, with the answers it ended with. */
  request: InputRequest
  /** Milliseconds. */
  askedAt: number
  /** Milliseconds. */
  expiresAt: number
  /** How many people have to accept, where one is not enough. */
  quorum?: number
  /** Absent: anyone on the desk, or, for a page about who someone is, that person. */
  to?: AskAudience
  approval?: AskApproval
  comments?: readonly AskComment[]
  report?: AskReport
  /** Absent while it is open. */
  ending?: AskEnding
  /** How its turn ended; absent while that goes on. */
  turn?: Turn['state']
}

/** The asks of a desk that someone may see: the newest open ones, and the last that ended. */
export interface AsksState {
  /** In the order they were asked. */
  asks: readonly AskEntry[]
  /** How many older ones were open beside these when it was read; counting stops at 1,000. Absent for none. */
  more?: number
}
