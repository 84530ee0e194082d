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
