import type { Answer, Response } from '@beckon/core'
import type { ChatState, InputNeeded, InputRequest, InputRequestPart, SessionSummary } from '@beckon/core/chat'
import type { SessionState } from '@beckon/core/session-0.3'
import type { Policy } from '../asks/policy.js'

/** A session as each dialect shows it. */
export interface SessionStates {
  readonly older: SessionState
  readonly chat: ChatState
  readonly summary: SessionSummary
}

/** How a request ended, and who ended it. */
export interface Ending {
  readonly response: Response
  readonly answers: Readonly<Record<string, Answer>>
  readonly by?: string
  readonly reason?: string
  /** Milliseconds. */
  readonly at: number
}

/** What a session is, without its asks. */
export interface Head {
  readonly id: string
  readonly title: string
  /** Who asks: the name of the server whose tools these are. */
  readonly server: string
  /** Whether it is there for one call of a server, and may be forgotten once that is over. */
  readonly isCall?: true
}

/** A session as it is written in a snapshot, or the next of its asks when it has many. */
export interface SavedSession {
  readonly id: string
  readonly head?: Head & SessionStates
  readonly requests: readonly InputRequest[]
  readonly parts: readonly InputRequestPart[]
  readonly needed: readonly InputNeeded[]
  readonly policies: readonly (readonly [string, Policy])[]
  readonly askedAt: readonly (readonly [string, number])[]
  readonly endings: readonly (readonly [string, Ending])[]
}
